import { LlmcError } from '../../base/error.ts';
import { readCommitId, readStatus, readTreeId } from '../../git/inspect.ts';
import { commitFormatting } from '../../git/worktree/commit-formatting.ts';
import { resetInPlace } from '../../git/worktree/reset.ts';
import { findValidation, keepValidation } from '../../store/tables/validations.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from '../landing/main-branch.ts';
import { saveWork } from '../worktree/save-work.ts';
import { type FailedLine, runLines } from '../worktree/shell-lines.ts';

/** The same line under `validate` is a result of its own: formatting changes files after it has read them. */
const toKey = (lines: readonly string[]): readonly string[] => ['format', ...lines];

/**
 * Runs `[repo] format` on finished work before a person sees it, and commits what it changed: what is reviewed is what lands, so nothing is
 * formatted after a review. Leaves a worktree with uncommitted changes alone. Returns the line that failed; the files are then as before.
 * The caller has the worker's lock.
 */
export async function formatWork(context: WorkContext, name: string): Promise<FailedLine | undefined> {
  const { git, store } = context;
  const config = await context.config();
  const { format: lines } = config.repo;
  if (lines.length === 0) return undefined;
  const { worktree_path: at, branch } = store.worker(name);
  const { head = '', changes } = await readStatus(git, at);
  if (changes.length > 0) return undefined;
  const tree = await readTreeId(context.git, at, head);
  // These commands have passed on these files, and changed none of them.
  if (findValidation(store.database, tree, toKey(lines))?.failed_line === null) return undefined;
  const failed = await runLines(context, config, { at, of: [name] }, lines, 'Format', { log: context.layout.output(name, 'format') });
  const after = await readStatus(git, at);
  const files = after.changes.filter(({ kind }) => kind === 'changed').map(({ path }) => path);
  if (failed !== undefined) {
    if (after.changes.length > 0) {
      await saveWork(context, name, await mainBranch(context, config), 'left by a formatting command that failed');
      await resetInPlace(git, at, head, branch);
    }
    if (context.signal.aborted) throw new LlmcError('CANCELLED', `the formatting of ${name} was cancelled`, { hint: 'llmc status' });
    context.say(`"${failed.line}" failed: ${failed.reason}. The work of ${name} is not formatted.`);
    return failed;
  }
  // The agent made a commit meanwhile: it comes up again.
  if (after.head !== head) return undefined;
  if (files.length > 0) await commitFormatting(git, at);
  const commit = await readCommitId(git, at);
  if (files.length > 0) context.say(`${name}: formatted by ${lines.join(', ')}: ${files.join(', ')}`);
  await note(context, name, { commit, files, at, lines });
  return undefined;
}

interface Done {
  readonly commit: string;
  readonly files: readonly string[];
  readonly at: string;
  readonly lines: readonly string[];
}

async function note(context: WorkContext, name: string, { commit, files, at, lines }: Done): Promise<void> {
  const { store, clock, layout } = context;
  const tree = await readTreeId(context.git, at, commit);
  const what = files.length === 0 ? 'nothing to format' : `formatted ${files.join(', ')}`;
  store.changeWorker(name, {
    kind: 'format',
    summary: `${what} (${lines.join(', ')})`,
    change: (worker) => {
      worker.commit_sha = commit;
      if (files.length > 0) worker.formatted = { lines: [...lines], files: [...new Set([...(worker.formatted?.files ?? []), ...files])] };
    },
    rows: (database) =>
      keepValidation(database, {
        tree,
        lines: JSON.stringify(toKey(lines)),
        worker: name,
        failed_line: null,
        reason: null,
        log: layout.output(name, 'format'),
        took_ms: 0,
        at_ms: clock.now(),
      }),
  });
}
