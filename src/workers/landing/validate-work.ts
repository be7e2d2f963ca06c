import { LlmcError } from '../../base/error.ts';
import type { Config } from '../../config/schema.ts';
import { readStatus, readTreeId } from '../../git/inspect.ts';
import { findValidation, keepValidation } from '../../store/tables/validations.ts';
import type { WorkContext } from '../context.ts';
import { type FailedLine, runLines } from '../worktree/shell-lines.ts';

/** Whether the validation commands have passed for exactly the files of a commit. Without commands, they always have. */
export async function isValidated({ git, store }: WorkContext, config: Config, name: string, commit: string): Promise<boolean> {
  const { validate: lines } = config.repo;
  if (lines.length === 0) return true;
  const tree = await readTreeId(git, store.worker(name).worktree_path, commit);
  return findValidation(store.database, tree, lines)?.failed_line === null;
}

/**
 * Runs the validation commands on the commit that is checked out in a worktree, and keeps the result with its files: the same files are
 * not validated again. The whole output is in a file.
 */
export async function validateWork(context: WorkContext, config: Config, name: string, commit: string): Promise<FailedLine | undefined> {
  const { git, store, clock, layout } = context;
  const { validate: lines } = config.repo;
  if (lines.length === 0) return undefined;
  const at = store.worker(name).worktree_path;
  const tree = await readTreeId(git, at, commit);
  if (findValidation(store.database, tree, lines)?.failed_line === null) {
    context.say(`Validated before, with the same files: ${lines.join(', ')}`);
    return undefined;
  }
  const began = clock.now();
  const log = layout.output(name, 'validate');
  const failed = await runLines(context, config, { at, of: [name] }, lines, 'Validate', {
    log,
    onStart: (line) => context.validating.set(name, { line, since: clock.now() }),
  }).finally(() => context.validating.delete(name));
  // The files are not to blame for a line that ended because its command was cancelled.
  if (failed !== undefined && context.signal.aborted)
    throw new LlmcError('CANCELLED', `the validation of ${name} was cancelled`, { hint: 'llmc status' });
  const { head, changes } = await readStatus(git, at);
  // If the agent, or the commands, changed the files meanwhile, the result is not about this tree.
  if (head === commit && changes.length === 0) {
    const [failed_line, reason] = [failed?.line ?? null, failed?.reason ?? null];
    const now = clock.now();
    store.commit({
      worker: name,
      kind: 'validate',
      summary: `${failed === undefined ? 'passed' : `"${failed.line}" failed: ${failed.reason}`} (tree ${tree.slice(0, 12)})`,
      rows: (database) =>
        keepValidation(database, {
          tree,
          lines: JSON.stringify(lines),
          worker: name,
          failed_line,
          reason,
          log,
          took_ms: Math.max(0, now - began),
          at_ms: now,
        }),
    });
  }
  return failed;
}
