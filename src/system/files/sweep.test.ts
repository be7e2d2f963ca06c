import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sweepTemporaries } from './sweep.ts';

test('what a dead writer left is removed; the rest stays', () => {
  const directory = mkdtempSync(join(tmpdir(), 'llmc-sweep-'));
  try {
    // 2^22 is the largest process id Linux gives out.
    const left = ['.state.json.4194304.tmp', '.config.toml.4194304.tmp'];
    const kept = [`.state.json.${process.pid}.tmp`, 'state.json', '.env.tmp', 'notes.123.tmp'];
    for (const name of [...left, ...kept]) writeFileSync(join(directory, name), 'x');
    sweepTemporaries(directory);
    expect(readdirSync(directory).toSorted()).toEqual(kept.toSorted());
  } finally {
    rmSync(directory, { recursive: true });
  }
});
