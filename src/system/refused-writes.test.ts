import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/repo/scratch.ts';
import { mountDisk, needsDisk } from '../../test/support/small-disk.ts';
import type { Refusal } from '../base/refusal.ts';
import { systemProcesses } from './processes/processes.ts';
import { OLD, prepare, tryAll, WRITES } from './refused-writes.fixture.ts';
import { removeTree } from './remove-file.ts';

const FIXTURE = fileURLToPath(import.meta.resolve('./refused-writes.fixture.ts'));

const all = (refusal: Refusal) => Object.fromEntries(Object.keys(WRITES).map((name) => [name, refusal]));

/** The old content is whole, and no half of a new one is left. A new folder may stay. */
function expectOld(folder: string): void {
  expect(readdirSync(folder).filter((name) => name !== 'new' && name !== 'filler')).toEqual(['old']);
  expect(readFileSync(join(folder, 'old'), 'utf8')).toBe(OLD);
}

test('on a full disk every write of a file says so and leaves what was there', (context) => {
  needsDisk(context);
  using scratch = scratchFolder();
  using disk = mountDisk(join(scratch.path, 'disk'), '512k');
  prepare(disk.place);
  expect(tryAll(disk.place)).toEqual(all('disk_full'));
  expectOld(disk.place);
  disk.fill();
  expect(tryAll(disk.place)).toEqual(all('disk_full'));
  expectOld(disk.place);
  disk.free();
  for (const write of Object.values(WRITES).filter((each) => each !== WRITES.copy)) write(disk.place, 'new');
});

test('on a read-only file system every write of a file says so, also where Node names another reason', (context) => {
  needsDisk(context);
  using scratch = scratchFolder();
  using disk = mountDisk(join(scratch.path, 'disk'), '512k');
  prepare(disk.place);
  disk.readOnly();
  expect(tryAll(disk.place)).toEqual(all('read_only'));
  expectOld(disk.place);
  expect(() => removeTree(disk.place)).toThrow(expect.objectContaining({ code: 'EROFS' }));
  disk.writable();
});

test('with too many open files every write of a file says so and leaves what was there', async () => {
  using scratch = scratchFolder();
  const folder = join(scratch.path, 'disk');
  prepare(folder);
  const line = 'ulimit -n 64; exec "$0" --disable-warning=ExperimentalWarning "$1" "$2"';
  const { stdout } = await systemProcesses.run({ file: 'sh', args: ['-c', line, process.execPath, FIXTURE, folder] });
  expect(JSON.parse(stdout)).toEqual(all('too_many_files'));
  expectOld(folder);
});
