import { join, normalize } from 'node:path';
import { readKind } from '../../system/files/no-follow.ts';
import type { Setting } from '../source/local-config.ts';

/** Settings that git runs as a command line, in the top folder of the worktree. */
const COMMANDS = /^(?:filter\..+\.(?:clean|smudge|process)|merge\..+\.driver|diff\..+\.(?:textconv|command))$/;
/** Ways to write the top folder of the worktree. */
const TOP =
  /("?)(?:\$\(\s*git rev-parse --show-toplevel\s*\)|`\s*git rev-parse --show-toplevel\s*`|\$\(\s*pwd\s*\)|\$\{?PWD\}?)(?:("?)\/)/g;
const toTop = (_: string, opening: string, closing: string): string => `${opening === closing ? '' : opening}./`;
/** A word of a command line, and whether a command begins with it. */
const WORD = /(^|[\s'"`=;&|(])([^\s'"`=;&|()<>$%~/-][^\s'"`=;&|()<>]*|\.[^\s'"`=;&|()<>]*)/g;
const SCRIPT = /\.(?:sh|bash|py|js|mjs|cjs|ts|pl|rb|php|lua|awk|sed)$/;
/** Needs no quotes in a shell. */
const PLAIN = /^[\w@+:,./-]+$/;

/**
 * Lets git run the user's own version of a filter or driver that is a file of the repository (`./tools/clean.sh`, `python tools/x.py`):
 * git runs it in the worktree, where the file is the agent's. `checkout` is the source. A file that it does not have makes the command
 * fail with the reason, because an agent could add it.
 */
export function withUsersFiles(settings: readonly Setting[], checkout: string): readonly Setting[] {
  return settings.flatMap((setting) => {
    if (!COMMANDS.test(setting.key)) return [setting];
    const { command, missing } = rewritten(setting.value, checkout);
    if (missing === undefined) return [{ ...setting, value: command }];
    const why = `llmc: ${setting.key} runs ${missing}, which is a file of the repository and not in ${checkout}. Give it an absolute path.`;
    const refused = { ...setting, value: `printf '%%s\\n' '${why.replaceAll("'", '')}' >&2; exit 1` };
    // Without this, git would take the content without the filter.
    const filter = /^(filter\..+)\.[^.]+$/.exec(setting.key)?.[1];
    return filter === undefined ? [refused] : [refused, { key: `${filter}.required`, value: 'true' }];
  });
}

function rewritten(text: string, checkout: string): { readonly command: string; readonly missing: string | undefined } {
  let missing: string | undefined;
  const line = text.replaceAll(TOP, toTop);
  const command = line.replaceAll(WORD, (whole: string, before: string, word: string, offset: number) => {
    const isFirst = /(?:^|[;&|(])\s*$/.test(line.slice(0, offset + before.length));
    const isPath = word.startsWith('./') || word.startsWith('../') || (isFirst ? word.includes('/') : SCRIPT.test(word));
    const file = join(checkout, normalize(word));
    const isThere = readKind(file) === 'file';
    // A command without a slash is looked up in PATH.
    if (!isPath && (isFirst || !isThere || !word.includes('/'))) return whole;
    if (!isThere || !PLAIN.test(file)) missing ??= word;
    return `${before}${file}`;
  });
  return { command, missing };
}
