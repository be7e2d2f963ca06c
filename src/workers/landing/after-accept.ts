import { type LandedLanding, landingsBeforeAfterAccept, markAfterAccept } from '../../store/tables/landings.ts';
import type { WorkContext } from '../context.ts';
import { LOCK_KEYS } from '../lock-keys.ts';
import { runLines } from '../worktree/shell-lines.ts';
import { landedEnvironment } from './landed-environment.ts';

/** A command that failed after the landing, which stands. */
export interface AfterAcceptFailure {
  readonly line: string;
  readonly reason: string;
  /** The file with the whole output. */
  readonly log: string;
}

/**
 * Runs `[repo] after_accept` in the source: once for everything that landed on main since it last ran, and once for each branch, also for
 * what landed before a crash. A failure is reported and changes nothing. The commands go on when the person who asked is gone, because
 * the commit has landed.
 */
export async function afterAccept(context: WorkContext): Promise<AfterAcceptFailure | null> {
  return await context.locks.withLock(LOCK_KEYS.afterAccept, async () => {
    let failure: AfterAcceptFailure | null = null;
    for (const due of byBranch(landingsBeforeAfterAccept(context.store.database))) {
      const failed = await runFor(context, due);
      failure ??= failed;
      if (context.lasting.aborted) break;
    }
    return failure;
  });
}

/** The landings of each branch, the oldest first. */
function byBranch(landings: readonly LandedLanding[]): readonly (readonly LandedLanding[])[] {
  return [...Map.groupBy(landings, ({ branch }) => branch).values()];
}

async function runFor(context: WorkContext, due: readonly LandedLanding[]): Promise<AfterAcceptFailure | null> {
  const { store, clock, layout, lasting } = context;
  const last = due.at(-1);
  if (last === undefined) return null;
  const config = await context.config();
  const { afterAccept: lines, source } = config.repo;
  const log = layout.output(last.worker, 'after_accept');
  const own = { ...context, signal: lasting };
  await using landed = lines.length === 0 ? undefined : await landedEnvironment(context, config, last);
  const failed =
    landed === undefined
      ? undefined
      : await runLines(own, config, { at: source, of: [] }, lines, 'After the accept', { log, env: landed.env });
  if (failed !== undefined && lasting.aborted) {
    context.say(`"${failed.line}" was interrupted. The next accept or up runs the commands of after_accept again.`);
    return { line: failed.line, reason: failed.reason, log };
  }
  const how = failed === undefined ? 'passed' : `"${failed.line}" failed after the accept: ${failed.reason}`;
  store.commit({
    worker: last.worker,
    kind: 'accept',
    summary: `after_accept${last.branch === null ? '' : ` for ${last.branch}`}: ${how}`,
    rows: (database) => {
      const ids = due.map(({ id }) => id);
      markAfterAccept(database, ids, clock.now());
    },
  });
  if (failed === undefined) return null;
  context.say(`${how}. What landed stays${last.branch === null ? ' on main' : ''}. The whole output: ${log}`);
  return { line: failed.line, reason: failed.reason, log };
}
