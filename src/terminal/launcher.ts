/**
 * How an agent gets its environment: through a private file the launcher reads and
 * deletes, never through argv, where every user's `ps` would show it. Values are
 * single-quoted, in which sh gives no character a meaning except the quote itself.
 */
export const LAUNCHER_SCRIPT = `#!/bin/sh
# llmc: take the environment from a private file, then become the agent.
environment=$1
shift
. "$environment"
rm -f "$environment"
exec "$@"
`;

export function environmentFile(env: Readonly<Record<string, string | undefined>>): string {
  const lines = ['unset TMUX_TMPDIR'];
  for (const [name, value] of Object.entries(env)) {
    // A name sh cannot assign (bash exports functions as BASH_FUNC_x%%) could not be passed on by sh at all.
    if (value === undefined || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) continue;
    lines.push(`export ${name}='${value.replaceAll("'", `'\\''`)}'`);
  }
  return `${lines.join('\n')}\n`;
}
