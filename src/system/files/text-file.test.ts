import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readTextFile } from './text-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'llmc-text-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('text comes back as it is, byte order mark included', async () => {
  await writeFile(join(folder, 'a'), '\uFEFFgrüße\r\n');
  expect(await readTextFile(join(folder, 'a'))).toEqual({ kind: 'text', text: '\uFEFFgrüße\r\n' });
});

test('bytes that are not text are recognised', async () => {
  await writeFile(join(folder, 'a'), Uint8Array.of(0x61, 0xff));
  expect(await readTextFile(join(folder, 'a'))).toEqual({ kind: 'not-utf8' });
});

test('a missing file, also below a file, is missing', async () => {
  await writeFile(join(folder, 'a'), '');
  expect(await readTextFile(join(folder, 'b'))).toEqual({ kind: 'missing' });
  expect(await readTextFile(join(folder, 'a', 'b'))).toEqual({ kind: 'missing' });
});

test('a directory is a failure with a reason', async () => {
  expect(await readTextFile(folder)).toMatchObject({ kind: 'failed', reason: expect.stringContaining('EISDIR') });
});
