import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../test/support/scratch-tmux.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "llmc care' taker-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process that has a caretaker for the folder and then does as the line says. */
const starter = (line: string) =>
  spawn(
    process.execPath,
    [
      '--input-type=module-typescript',
      '-e',
      `import { startCaretaker } from ${JSON.stringify(join(import.meta.dirname, 'caretaker.ts'))};
const caretaker = startCaretaker('rm -rf "$1"', [${JSON.stringify(folder)}]);
${line}`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );

describe('a caretaker', () => {
  test('clears up after a starter that was killed', async () => {
    const child = starter("console.log('up'); setInterval(() => undefined, 1_000);");
    await once(child.stdout, 'data');
    expect(existsSync(folder)).toBe(true);
    child.kill('SIGKILL');
    await until('the folder to be gone', async () => !existsSync(folder));
  });

  test('clears up after a starter that simply ends, and does not keep it from ending', async () => {
    await once(starter(''), 'exit');
    await until('the folder to be gone', async () => !existsSync(folder));
  });

  test('that was dismissed leaves everything alone', async () => {
    const child = starter("caretaker.dismiss(); console.log('dismissed');");
    await once(child, 'exit');
    expect(existsSync(folder)).toBe(true);
  });
});
