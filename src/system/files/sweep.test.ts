import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
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

test('a caller that alone writes there also removes those of a killed process that nobody has waited for', () => {
  using scratch = scratchFolder();
  // A process that takes signals: this one's parent.
  const [theirs, own] = [`.log.yaml.${process.ppid}.tmp`, `.log.yaml.${process.pid}.tmp`];
  for (const name of [theirs, own]) writeFileSync(join(scratch.path, name), '');
  sweepTemporaries(scratch.path);
  expect(readdirSync(scratch.path).toSorted()).toEqual([theirs, own].toSorted());
  sweepTemporaries(scratch.path, (writer) => writer !== process.pid);
  expect(readdirSync(scratch.path)).toEqual([own]);
});
