/**
 * How an agent gets its environment: through a private file the launcher reads and
 * deletes, never through argv, where every user's `ps` would show it. Its own words
 * come the same way, as tmux takes no command beyond 16 KB (3.3a). All is single-quoted,
 * in which sh gives no character a meaning except the quote itself. The script keeps
 * no variable of its own: the file may set one of that name.
 */
export const LAUNCHER_SCRIPT = `#!/bin/sh
# llmc: take environment and words from a private file, then become the agent.
. "$1"
rm -f "$1"
shift
exec "$@"
`;

/**
 * Names a shell keeps for itself: bash as sh ends when one is assigned, dash when OPTIND is
 * not a number. People do export some (`export UID` for docker compose).
 */
const KEPT_BY_SHELLS: readonly string[] = ['UID', 'EUID', 'PPID', 'BASHOPTS', 'SHELLOPTS', 'BASH_VERSINFO', 'OPTIND'];

/** tmux takes another directory when the wanted one is missing (3.3a): an agent must not be let loose there. */
export function launchFile(env: Readonly<Record<string, string | undefined>>, directory: string, argv: readonly string[]): string {
  // The tmux server may have brought these along from whoever started it.
  const lines = ['unset TMUX_TMPDIR COLUMNS LINES LLMC_FAULT LLMC_WORKER OLDPWD'];
  for (const [name, value] of Object.entries(env)) {
    // A name sh cannot assign (bash exports functions as BASH_FUNC_x%%) could not be passed on by sh at all.
    if (value === undefined || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || KEPT_BY_SHELLS.includes(name)) continue;
    lines.push(`export ${name}=${quoted(value)}`);
  }
  lines.push(`cd ${quoted(directory)} || exit 1`);
  return `${[...lines, ['set -- "$1"', ...argv.map(quoted)].join(' ')].join('\n')}\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
