import { join } from 'node:path';
import { LlmcError } from '../base/error.ts';
import { commandLine } from '../base/shell-quote.ts';
import { exists } from '../system/files/files.ts';
import { readTextFile } from '../system/files/text-file.ts';
import { expandHome } from '../system/home.ts';
import { parseConfig } from './parse.ts';
import type { Config } from './schema.ts';

/** A thousand workers fit. */
const LARGEST_CONFIG = 1024 * 1024;

export function configPath(root: string): string {
  return join(root, 'config.toml');
}

/** Reads and checks `<root>/config.toml`; `~` in the source is expanded. */
export async function loadConfig(root: string): Promise<Config> {
  return interpretConfig(await readConfigFile(root), root);
}

/** The same for a given text, such as one that llmc is about to write. */
export function interpretConfig(text: string, root: string): Config {
  const config = parseConfig(text, configPath(root));
  return { ...config, repo: { ...config.repo, source: expandHome(config.repo.source) } };
}

/** The text of the file, for edits that keep comments. */
export async function readConfigFile(root: string): Promise<string> {
  const path = configPath(root);
  const file = await readTextFile(path, LARGEST_CONFIG);
  switch (file.kind) {
    case 'text':
      return file.text;
    case 'missing':
      if (exists(join(root, 'state.json')))
        throw new LlmcError('ROOT_NOT_FOUND', `${path} is missing`, {
          hint: `Restore it, or write it again from what the root knows: ${commandLine('llmc', 'init', '--target', root)}`,
        });
      throw new LlmcError('ROOT_NOT_FOUND', `${root} is not an llmc root: there is no ${path}`, {
        hint: 'Make one with: llmc init --source path/to/repository, or name another root with --root.',
      });
    case 'denied':
      throw new LlmcError('PERMISSION_DENIED', `${path} cannot be read: permission denied`, {
        hint: `Check its owner: ${commandLine('ls', '-l', path)}`,
      });
    case 'not-utf8':
      throw new LlmcError('CONFIG_INVALID', `${path}:1:1: found bytes that are not UTF-8, expected TOML text`, {
        hint: `Save ${path} as UTF-8.`,
      });
    case 'failed':
      throw new LlmcError('FILESYSTEM_ERROR', `${path} cannot be read: ${file.reason}`);
  }
}
