import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeSocket } from './socket-file.ts';

test('a socket goes, through a link too, and with its lock; anything else a link leads to stays', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'llmc-socket-'));
  const at = (name: string) => join(directory, name);
  const server = createServer();
  try {
    await new Promise<void>((done) => server.listen(at('real'), done));
    writeFileSync(at('real.lock'), '');
    writeFileSync(at('precious'), 'work');
    symlinkSync(at('real'), at('link'));
    symlinkSync(at('precious'), at('stray'));
    symlinkSync(at('nowhere'), at('dangling'));
    for (const name of ['link', 'stray', 'dangling', 'missing']) removeSocket(at(name));
    expect(['real', 'real.lock', 'link', 'stray', 'dangling', 'precious'].filter((name) => existsSync(at(name)))).toEqual(['precious']);
  } finally {
    server.close();
    rmSync(directory, { recursive: true, force: true });
  }
});
