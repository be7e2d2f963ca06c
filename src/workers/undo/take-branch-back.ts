import { LlmcError } from '../../base/error.ts';
import { fault } from '../../base/fault.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { readCommitId } from '../../git/inspect.ts';
import { findTip, hasCommit } from '../../git/landing/land.ts';
import { remoteWith, takeBranchBack } from '../../git/landing/take-branch-back.ts';
import { fetchMain } from '../../git/source/fetch.ts';
import type { LandedLanding } from '../../store/tables/landings.ts';
import { markMoved, type Undo, type UndoKind } from '../../store/tables/undos.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from '../landing/main-branch.ts';
import { LOCK_KEYS } from '../lock-keys.ts';
import { finishUndo, requireIdle, revertHint } from './take-landing-back.ts';
import type { Undone } from './undo-result.ts';

/** Refuses what cannot be undone on a branch that is not main, before anything is written. */
export async function requireOnBranch(context: WorkContext, landing: LandedLanding, branch: string, kind: UndoKind): Promise<void> {
  const { git, layout } = context;
  const config = await context.config();
  const { source } = config.repo;
  const { worker, landed } = landing;
  const short = landed.slice(0, 12);
  const tip = await findTip(git, { source, root: layout.root, branch });
  if (tip === null || !(await hasCommit(git, source, landed, tip)))
    throw new LlmcError(
      'NOTHING_TO_UNDO',
      tip === null
        ? `the source has no branch ${branch} any more, where the last accept of ${worker} landed`
        : `${branch} does not have ${short}, the last accept of ${worker}, any more`,
      { hint: 'llmc status' },
    );
  if (kind === 'revert') return;
  if (landing.onto === null)
    throw new LlmcError('UNDO_REFUSED', `llmc has no record of what ${branch} was before ${short}`, { hint: revertHint(worker) });
  if (tip !== landed)
    throw new LlmcError('UNDO_REFUSED', `${branch} has other commits after ${short}, the last accept of ${worker}`, {
      hint: revertHint(worker),
    });
  const main = await mainBranch(context, config);
  if (await hasCommit(git, source, landed, await fetchMain(git, layout.root, main, source)))
    throw new LlmcError('UNDO_REFUSED', `${main} has ${short}, the last accept of ${worker}, by now`, {
      hint: `Revert it there: ${commandLine('git', '-C', source, 'revert', landed)}`,
    });
  requireIdle(context, landing);
}

/** Moves the branch back or deletes it, then gives the worker its work. Every step recognises that it has already happened. */
export async function finishBranchBack(context: WorkContext, undo: Undo, landing: LandedLanding): Promise<Undone> {
  const { git, layout } = context;
  const config = await context.config();
  const { source } = config.repo;
  const { root } = layout;
  const { branch } = undo;
  const onto = undo.onto ?? (await readCommitId(git, root, `${undo.landed}^`));
  await context.locks.withLock(LOCK_KEYS.main, async () => {
    if (undo.phase === 'moved') return;
    // Before the branch has moved, nothing needs to be finished if something has changed since.
    if ((await findTip(git, { source, root, branch })) !== landing.branch_before)
      await requireOnBranch(context, landing, branch, 'take_back');
    await moveBack(context, undo, landing, source);
  });
  const main = await fetchMain(git, root, await mainBranch(context, config), source);
  return { main, ...(await finishUndo(context, undo, onto, landing)) };
}

async function moveBack(context: WorkContext, undo: Undo, landing: LandedLanding, source: string): Promise<void> {
  const { git, layout, store } = context;
  const { worker, branch, landed } = undo;
  const { branch_before: before } = landing;
  const short = landed.slice(0, 12);
  context.say(`Taking ${short} back from ${branch}`);
  const remote = await remoteWith(git, source, landed).catch(() => undefined);
  const taken = await takeBranchBack(git, { source, root: layout.root, branch, landed, before });
  switch (taken.kind) {
    case 'taken-back':
    case 'already-back':
      fault('undo:after-side-branch');
      store.commit({
        worker,
        kind: 'undo',
        summary: before === null ? `${branch} is deleted; it was ${landed}` : `${branch} is back at ${before.slice(0, 12)}`,
        rows: (database) => markMoved(database, undo.id),
      });
      if (remote !== undefined)
        context.say(`${remote} still has ${short}. To replace it there after the next accept: git push --force-with-lease`);
      return;
    case 'moved':
    case 'published':
      throw new LlmcError('UNDO_REFUSED', `${branch} is another commit than ${short} by now`, { hint: revertHint(worker) });
    case 'refused':
      throw new LlmcError('UNDO_REFUSED', taken.reason, {
        hint: taken.todo === undefined ? revertHint(worker) : `${taken.todo}, then: llmc undo ${worker}`,
        details: taken.files?.join('\n'),
      });
  }
}
