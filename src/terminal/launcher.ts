/**
 * Starts an agent with an environment from a private file, which it reads and deletes.
 * argv would show the values in every user's `ps`. The file also holds the agent's argv,
 * because tmux 3.3a accepts no command beyond 16 KB. All values are in single quotes,
 * in which sh gives no character a meaning except the quote itself. The script uses
 * no variable, because the file may set any name.
 */
export const LAUNCHER_SCRIPT = `#!/bin/sh
# llmc: read environment and arguments from a private file, then become the agent.
. "$1"
rm -f "$1"
shift
exec "$@"
`;

/**
 * Names that a shell reserves: bash as sh ends when one is assigned, dash when OPTIND is
 * not a number. People export some of them (`export UID` for docker compose).
 */
const KEPT_BY_SHELLS: readonly string[] = ['UID', 'EUID', 'PPID', 'BASHOPTS', 'SHELLOPTS', 'BASH_VERSINFO', 'OPTIND'];

/** Forgets what the tmux server inherited. The names are read before the first one is unset, PATH among them. */
const UNSET_ALL = `unset $(env | sed -n 's/^\\([A-Za-z_][A-Za-z0-9_]*\\)=.*/\\1/p' | grep -vxE '${KEPT_BY_SHELLS.join('|')}|TERM')`;

/** The file for the launcher. `onlyThese`: the agent gets no other variable. It changes to `directory` or exits, because tmux 3.3a silently uses another directory if one is missing. */
export function launchFile(
  env: Readonly<Record<string, string | undefined>>,
  directory: string,
  argv: readonly string[],
  { onlyThese = false }: { readonly onlyThese?: boolean } = {},
): string {
  // tmux sets the first four, and they would lead the agent to the server in which the other workers run. The server may have
  // inherited the rest from the process that started it.
  const lines = ['unset TMUX TMUX_PANE TMUX_TMPDIR LLMC_DEATHS COLUMNS LINES LLMC_FAULT LLMC_WORKER LLMC_SEAL OLDPWD'];
  if (onlyThese) lines.push(UNSET_ALL);
  for (const [name, value] of Object.entries(env)) {
    // sh cannot assign or pass on other names (bash exports functions as BASH_FUNC_x%%).
    if (value === undefined || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || KEPT_BY_SHELLS.includes(name)) continue;
    lines.push(`export ${name}=${quoted(value)}`);
  }
  lines.push(`cd ${quoted(directory)} || exit 1`);
  return `${[...lines, ['set -- "$1"', ...argv.map(quoted)].join(' ')].join('\n')}\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
