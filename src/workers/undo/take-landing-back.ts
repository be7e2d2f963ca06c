import { LlmcError } from '../../base/error.ts';
import { fault } from '../../base/fault.ts';
import { isAncestor, readCommitId } from '../../git/inspect.ts';
import { takeBack } from '../../git/landing/take-back.ts';
import { fetchMain } from '../../git/source/fetch.ts';
import type { LandedLanding } from '../../store/tables/landings.ts';
import { openResolution } from '../../store/tables/resolutions.ts';
import { markMoved, settleUndo, type Undo } from '../../store/tables/undos.ts';
import type { WorkContext } from '../context.ts';
import { LOCK_KEYS } from '../lock-keys.ts';
import { describeStatus } from '../status/status-words.ts';
import { standing } from '../status/transitions.ts';
import { giveWorkBack } from './give-work-back.ts';
import type { Undone } from './undo-result.ts';

export const revertHint = (worker: string): string => `Add a commit that reverts it: llmc undo ${worker} --revert`;

/** Refuses what cannot be taken back, before anything is written. */
export async function requireTakeBack(context: WorkContext, landing: LandedLanding, branch: string): Promise<void> {
  const { git, layout, store } = context;
  const { worker: name, landed } = landing;
  const short = landed.slice(0, 12);
  const refused = (problem: string) => new LlmcError('UNDO_REFUSED', problem, { hint: revertHint(name) });
  const { source } = (await context.config()).repo;
  const main = await fetchMain(git, layout.root, branch, source);
  if (main !== landed) throw await notTheTip(context, landing, branch, main);
  requireIdle(context, landing);
  const resolving = Object.values(store.state.workers).find((each) => openResolution(store.database, each.name)?.onto === landed);
  if (resolving !== undefined) throw refused(`${resolving.name} is resolving its conflict with ${short}`);
}

/** The worker gets its work back, so it must have no other. */
export function requireIdle({ store }: WorkContext, { worker: name, landed }: LandedLanding): void {
  const short = landed.slice(0, 12);
  const refused = (problem: string) => new LlmcError('UNDO_REFUSED', problem, { hint: revertHint(name) });
  const worker = store.state.workers[name];
  if (worker === undefined) throw refused(`${short} is the work of ${name}, which is not a worker any more`);
  if (standing(worker) !== 'idle') throw refused(`${name} cannot take ${short} back: it ${describeStatus(standing(worker))}`);
}

async function notTheTip(context: WorkContext, { worker, landed }: LandedLanding, branch: string, main: string): Promise<LlmcError> {
  const short = landed.slice(0, 12);
  if (await isAncestor(context.git, context.layout.root, landed, main))
    return new LlmcError('UNDO_REFUSED', `${branch} has other commits after ${short}, the last accept of ${worker}`, {
      hint: revertHint(worker),
    });
  return new LlmcError('NOTHING_TO_UNDO', `${branch} does not have ${short}, the last accept of ${worker}, any more`, {
    hint: 'llmc status',
  });
}

/** Moves main back, then gives the worker its work. Every step recognises that it has already happened. */
export async function finishTakeBack(context: WorkContext, undo: Undo, landing: LandedLanding): Promise<Undone> {
  const { git, layout } = context;
  const { source } = (await context.config()).repo;
  // An accept that only finished an earlier one does not know it.
  const onto = undo.onto ?? (await readCommitId(git, layout.root, `${undo.landed}^`));
  const main = await context.locks.withLock(LOCK_KEYS.main, async () => {
    if (undo.phase !== 'moved') {
      // After a crash, the worker may have another task or be gone. Before main has moved, nothing needs to be finished.
      if ((await fetchMain(git, layout.root, undo.branch, source)) !== onto) await requireTakeBack(context, landing, undo.branch);
      await moveMainBack(context, undo, onto, source);
    }
    return await fetchMain(git, layout.root, undo.branch, source);
  });
  return { main, ...(await finishUndo(context, undo, onto, landing)) };
}

/** Gives the worker its work after the branch has moved, if the worker is still there. */
export async function finishUndo(context: WorkContext, undo: Undo, onto: string, landing: LandedLanding): Promise<Omit<Undone, 'main'>> {
  const { store, clock } = context;
  if (store.state.workers[undo.worker] !== undefined) return { made: null, conversation: await giveWorkBack(context, undo, onto, landing) };
  store.commit({
    worker: undo.worker,
    kind: 'undo',
    summary: `the worker is gone; its work is ${landing.work ?? undo.landed}`,
    rows: (database) => settleUndo(database, undo.id, 'done', clock.now()),
  });
  return { made: null, conversation: null };
}

async function moveMainBack(context: WorkContext, undo: Undo, onto: string, source: string): Promise<void> {
  const { git, layout, store } = context;
  const { worker, branch, landed } = undo;
  const short = landed.slice(0, 12);
  context.say(`Taking ${short} back from ${branch}`);
  const taken = await takeBack(git, { source, root: layout.root, branch, landed, onto });
  switch (taken.kind) {
    case 'taken-back':
    case 'already-back':
      fault('undo:after-main');
      store.commit({
        worker,
        kind: 'undo',
        summary: `${branch} is back at ${onto.slice(0, 12)}`,
        rows: (database) => markMoved(database, undo.id),
      });
      return;
    case 'moved':
      throw new LlmcError('UNDO_REFUSED', `${branch} has other commits after ${short} by now`, { hint: revertHint(worker) });
    case 'published':
      throw new LlmcError('UNDO_REFUSED', `${taken.ref} has ${short} already: to move ${branch} back would rewrite what others may have`, {
        hint: revertHint(worker),
      });
    case 'refused':
      throw new LlmcError('UNDO_REFUSED', taken.reason, {
        hint: taken.todo === undefined ? revertHint(worker) : `${taken.todo}, then: llmc undo ${worker}`,
        details: taken.files?.join('\n'),
      });
  }
}
