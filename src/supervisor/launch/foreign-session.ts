import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { isForeign } from '../../terminal/panes.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** A session with the name of a worker's, which a person or an agent opened by hand on llmc's socket. */
export function foreignSession(terminal: Terminal, session: string): LlmcError {
  const typed = ({ file, args }: { readonly file: string; readonly args: readonly string[] }) => commandLine(file, ...args);
  return new LlmcError(
    'SESSION_EXISTS',
    `llmc did not open the tmux session ${session}, so it types nothing into it and cannot start the agent`,
    {
      hint: `Look at it: ${typed(terminal.attachCommand(session))}; end it: ${typed(terminal.endCommand(session))}; the agent then starts by itself`,
    },
  );
}

/** A launch ends what is left of the session before: not one that someone else opened. */
export async function requireOwnSession(terminal: Terminal, session: string): Promise<void> {
  if (isForeign((await terminal.panes()) ?? [], session)) throw foreignSession(terminal, session);
}
