import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/repo/scratch.ts';
import { systemFiles } from '../system/files/system-files.ts';
import { invalidConfigText, keepConfig, loadConfigInForce } from './in-force.ts';
import { validConfigPath } from './valid-config-path.ts';

const VALID = '[repo]\nsource = "/src"\nvalidate = ["true"]\n';

function rootWith(text: string) {
  const scratch = scratchFolder();
  const file = join(scratch.path, 'config.toml');
  writeFileSync(file, text);
  // What tells a root without its config.toml from another folder.
  writeFileSync(join(scratch.path, 'state.json'), '{}');
  return { root: scratch.path, file, [Symbol.dispose]: () => scratch[Symbol.dispose]() };
}

const BROKEN: readonly (readonly [string, (file: string) => void, RegExp])[] = [
  ['an edit that is not TOML', (file) => writeFileSync(file, `${VALID}[defaults\n`), /config\.toml:4:\d+: not valid TOML/],
  ['an edit with an unknown key', (file) => writeFileSync(file, `x = 1\n${VALID}`), /config\.toml:1:1: /],
  ['an empty file', (file) => writeFileSync(file, ''), /config\.toml:1:1: /],
  ['a deleted file', (file) => rmSync(file), /config\.toml/],
  ['a directory in its place', (file) => [rmSync(file), mkdirSync(file)], /config\.toml cannot be read/],
  ['bytes that are not text', (file) => writeFileSync(file, Uint8Array.of(0xff, 0xfe)), /config\.toml:1:1: found bytes/],
];

test.each(BROKEN)('the last valid configuration stays in force, also for a new process: %s', async (_, breakIt, message) => {
  using made = rootWith(VALID);
  const running = keepConfig(made.root, systemFiles);
  expect((await running()).invalid).toBeUndefined();
  breakIt(made.file);
  // An empty file that was written just now may be half of a save: it counts once it is not new any more.
  if (existsSync(made.file)) utimesSync(made.file, 1, 1);
  const kept = await running();
  expect(kept.config.repo.validate).toEqual(['true']);
  expect(kept.invalid?.message).toMatch(message);
  // A view of 80 columns has room for the beginning.
  if (kept.invalid !== undefined) expect(invalidConfigText(kept.invalid, 0).slice(0, 15)).toMatch(/^config\.toml(?::\d+:\d+| )/);
  const restarted = await loadConfigInForce(made.root);
  expect(restarted).toMatchObject({ text: VALID, invalid: { since: kept.invalid?.since, inForce: validConfigPath(made.root) } });
  rmSync(made.file, { recursive: true, force: true });
  writeFileSync(made.file, `${VALID}# repaired\n`);
  expect(await running()).toMatchObject({ text: `${VALID}# repaired\n`, invalid: undefined });
  expect(readFileSync(validConfigPath(made.root), 'utf8')).toBe(`${VALID}# repaired\n`);
});

test('a valid beginning of the file that is being saved does not count', async () => {
  using made = rootWith(VALID);
  const running = keepConfig(made.root, systemFiles);
  await running();
  writeFileSync(made.file, '[repo]\nsource = "/src"\n');
  expect((await running()).config.repo.validate).toEqual(['true']);
  utimesSync(made.file, 1, 1);
  expect((await running()).config.repo.validate).toEqual([]);
});

test('without a valid configuration before, the error is the one of the file', async () => {
  using made = rootWith('x = 1\n');
  await expect(loadConfigInForce(made.root)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  mkdirSync(join(made.root, 'run'), { recursive: true });
  writeFileSync(validConfigPath(made.root), 'not a configuration');
  await expect(loadConfigInForce(made.root)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
});

test('a copy that cannot be written does not keep the configuration from being read', async () => {
  using made = rootWith(VALID);
  mkdirSync(validConfigPath(made.root), { recursive: true });
  chmodSync(join(made.root, 'run'), 0o500);
  expect((await loadConfigInForce(made.root)).invalid).toBeUndefined();
  chmodSync(join(made.root, 'run'), 0o700);
});
