import type { WorkContext } from '../context.ts';
import { LOCK_KEYS } from '../lock-keys.ts';
import { runLines } from '../worktree/shell-lines.ts';

/** A command that failed after the landing, which stands. */
export interface AfterAcceptFailure {
  readonly line: string;
  readonly reason: string;
  /** The file with the whole output. */
  readonly log: string;
}

/** Runs `[repo] after_accept` in the source, one accept at a time. A failure is reported and changes nothing. */
export async function afterAccept(context: WorkContext, worker: string): Promise<AfterAcceptFailure | null> {
  const config = await context.config();
  const { afterAccept: lines, source } = config.repo;
  if (lines.length === 0) return null;
  const log = context.layout.output(worker, 'after_accept');
  const failed = await context.locks.withLock(LOCK_KEYS.afterAccept, () =>
    runLines(context, config, source, lines, 'After the accept', { log }),
  );
  if (failed === undefined) return null;
  const { line, reason } = failed;
  context.say(`"${line}" failed after the accept: ${reason}. What landed stays on main. The whole output: ${log}`);
  context.store.commit({ worker, kind: 'accept', summary: `"${line}" failed after the accept: ${reason}` });
  return { line, reason, log };
}
