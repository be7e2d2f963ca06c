import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findProgram } from './find-program.ts';

const dir = mkdtempSync(join(tmpdir(), 'llmc-find-'));
afterAll(() => rmSync(dir, { recursive: true }));
for (const folder of ['a', 'b', 'b/claude', 'work']) mkdirSync(join(dir, folder));
for (const file of ['a/notes', 'a/codex', 'work/own']) writeFileSync(join(dir, file), '#!/bin/sh\n');
for (const file of ['a/codex', 'work/own']) chmodSync(join(dir, file), 0o755);
const PATH = `${dir}/nowhere:${dir}/b:${dir}/a`;

test.each([
  ['a program on PATH', 'codex', PATH, 'a/codex'],
  ['one that is not', 'eve', PATH, undefined],
  ['a directory of that name', 'claude', PATH, undefined],
  ['a file nobody may run', 'notes', PATH, undefined],
  ['no PATH at all', 'codex', undefined, undefined],
  ['an empty PATH', 'codex', '', undefined],
  ['the working directory, where PATH names it', 'own', `${dir}/a:.`, 'work/own'],
  ['a path from the root', join(dir, 'a/codex'), undefined, 'a/codex'],
  ['a path from the working directory', './own', undefined, 'work/own'],
  ['a path to nothing', './eve', PATH, undefined],
])('%s', (_, name, path, found) => {
  expect(findProgram(name, { path, cwd: join(dir, 'work') })).toBe(found && join(dir, found));
});
