import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { LlmcError, messageOf } from '../base/error.ts';
import { parseConfig } from './parse.ts';
import type { Config } from './schema.ts';

export function configPath(root: string): string {
  return join(root, 'config.toml');
}

/** Reads and checks `<root>/config.toml`; `~` in the source is expanded. */
export async function loadConfig(root: string): Promise<Config> {
  const file = configPath(root);
  const config = parseConfig(await readText(root, file), file);
  return { ...config, repo: { ...config.repo, source: expandHome(config.repo.source, homedir()) } };
}

/** The text itself, for the comment-keeping edits. */
export async function readConfigFile(root: string): Promise<string> {
  return readText(root, configPath(root));
}

async function readText(root: string, file: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    throw unreadable(root, file, error);
  }
  const text = decode(bytes);
  if (text !== undefined) return text;
  throw new LlmcError('CONFIG_INVALID', `${file}:1:1: found bytes that are not UTF-8, expected TOML text`, {
    hint: `Save ${file} as UTF-8.`,
  });
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function unreadable(root: string, file: string, error: unknown): LlmcError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new LlmcError('ROOT_NOT_FOUND', `${root} is not an llmc root: there is no ${file}`, {
      hint: 'Make one with: llmc init --source <repository>, or name another root with --root <dir>.',
    });
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new LlmcError('PERMISSION_DENIED', `${file} cannot be read: permission denied`, {
      hint: `Check who owns it: ls -l ${file}`,
      cause: error,
    });
  }
  return new LlmcError('FILESYSTEM_ERROR', `${file} cannot be read: ${messageOf(error)}`, { cause: error });
}

export function expandHome(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
}
