import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig, readConfigFile } from './load.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'llmc-config-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('loading config.toml', () => {
  test('expands the home directory in the source', async () => {
    await writeFile(join(root, 'config.toml'), '[repo]\nsource = "~/a b/ü"\n');
    expect((await loadConfig(root)).repo.source).toBe(join(homedir(), 'a b/ü'));
  });

  test('names the file in its errors', async () => {
    await writeFile(join(root, 'config.toml'), 'x = 1\n[repo]\nsource = "/src"\n');
    await expect(loadConfig(root)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(`${root}/config.toml:1:1: `),
    });
  });

  test('says that a directory without the file is not a root', async () => {
    await expect(loadConfig(root)).rejects.toMatchObject({ code: 'ROOT_NOT_FOUND', hint: expect.stringContaining('llmc init') });
    await expect(loadConfig(join(root, 'gone'))).rejects.toMatchObject({ code: 'ROOT_NOT_FOUND' });
  });

  test('refuses bytes that are not text', async () => {
    await writeFile(join(root, 'config.toml'), Uint8Array.of(0x5b, 0xff, 0xfe));
    await expect(loadConfig(root)).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('config.toml:1:1') });
  });

  test('says so when the file is a directory', async () => {
    await mkdir(join(root, 'config.toml'));
    await expect(loadConfig(root)).rejects.toMatchObject({ code: 'FILESYSTEM_ERROR' });
  });

  test('hands out the text for edits, valid or not', async () => {
    await writeFile(join(root, 'config.toml'), '# only a comment\n');
    expect(await readConfigFile(root)).toBe('# only a comment\n');
  });
});
