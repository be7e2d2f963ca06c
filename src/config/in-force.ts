import { join, sep } from 'node:path';
import { pastTime } from '../base/clock-time.ts';
import { LlmcError } from '../base/error.ts';
import type { Files, Instant } from '../base/ports.ts';
import { readInode } from '../system/files/file-stamp.ts';
import { systemFiles } from '../system/files/system-files.ts';
import { configPath, interpretConfig, readConfigFile } from './load.ts';
import type { Config } from './schema.ts';
import { validConfigPath } from './valid-config-path.ts';

/** Why config.toml does not count at the moment. */
export interface InvalidConfig {
  /** With file, line and column where the file can be read; the file below its root. */
  readonly message: string;
  readonly since: Instant;
  /** The file whose settings count instead. */
  readonly inForce: string;
}

export interface ConfigInForce {
  readonly config: Config;
  /** The text that `config` was read from. */
  readonly text: string;
  readonly invalid: InvalidConfig | undefined;
}

type ConfigFiles = Pick<Files, 'stamp' | 'readText' | 'replace' | 'makeFolder' | 'writePrivate' | 'remove' | 'exists'>;

/** Says since when config.toml is invalid: its own time says only when it was last edited. */
function invalidSincePath(root: string): string {
  return join(root, 'run', 'config-invalid-since');
}

/**
 * Reads config.toml, again only if it has changed, so an edit takes effect at once. While the file is invalid, missing or unreadable,
 * the last valid one counts: an edit must not stop work that is under way. Throws if there was none.
 */
export function keepConfig(root: string, files: ConfigFiles, now: () => Instant = Date.now): () => Promise<ConfigInForce> {
  let last: ConfigInForce | undefined;
  let lastStamp: string | undefined;
  let inode: bigint | undefined;
  return async () => {
    const stamp = files.stamp(configPath(root));
    if (last !== undefined && stamp !== undefined && stamp === lastStamp) return last;
    const inodeNow = readInode(configPath(root));
    try {
      const text = await readConfigFile(root);
      if (last !== undefined && stamp === undefined && inodeNow === inode && isCutOff(text, last.text)) return last;
      last = { text, config: last?.text === text ? last.config : interpretConfig(text, root), invalid: undefined };
      keepCopy(root, text, files);
      inode = inodeNow;
    } catch (error) {
      if (!(error instanceof LlmcError)) throw error;
      const kept = last ?? readCopy(root, files);
      if (kept === undefined) throw error;
      // The root is named beside it everywhere.
      const message = error.message.replaceAll(join(root, sep), '');
      last = { ...kept, invalid: { message, since: invalidSince(root, files, now()), inForce: validConfigPath(root) } };
    }
    // Keep the stamp from before the read: an edit during the read is read next time.
    lastStamp = stamp;
    return last;
  };
}

/** Reads the configuration that counts, once. */
export async function loadConfigInForce(root: string, files: ConfigFiles = systemFiles): Promise<ConfigInForce> {
  return await keepConfig(root, files)();
}

/** The problem, and what counts instead. A narrow line shows its beginning alone: file, line and column come first. */
export function invalidConfigText({ message, since, inForce }: InvalidConfig, now: Instant): string {
  return `${message} (config.toml is invalid since ${pastTime(since, now)}). The last valid configuration is in force: ${inForce}`;
}

/** Most editors write a file from its beginning. One that is written just now and is a part of the last one may not be complete. */
function isCutOff(text: string, before: string): boolean {
  return text.length < before.length && before.startsWith(text);
}

/** The configuration counts also where the copy cannot be written, such as on a full disk or in a sandbox. */
function keepCopy(root: string, text: string, files: ConfigFiles): void {
  try {
    const path = validConfigPath(root);
    if (files.exists(invalidSincePath(root))) files.remove(invalidSincePath(root));
    if (readKept(path, files) === text) return;
    files.makeFolder(join(root, 'run'));
    files.replace(path, text);
  } catch {
    // The next reading tries again.
  }
}

function readCopy(root: string, files: ConfigFiles): Pick<ConfigInForce, 'config' | 'text'> | undefined {
  const text = readKept(validConfigPath(root), files);
  if (text === undefined) return undefined;
  try {
    return { text, config: interpretConfig(text, root) };
  } catch {
    return undefined;
  }
}

function invalidSince(root: string, files: ConfigFiles, now: Instant): Instant {
  const path = invalidSincePath(root);
  const since = Number(readKept(path, files) ?? Number.NaN);
  if (since > 0 && since <= now) return since;
  try {
    files.writePrivate(path, String(now));
  } catch {
    // Without the file, each process counts from when it noticed.
  }
  return now;
}

function readKept(path: string, files: ConfigFiles): string | undefined {
  try {
    return files.readText(path);
  } catch {
    return undefined;
  }
}
