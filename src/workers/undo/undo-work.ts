import { describeError, LlmcError } from '../../base/error.ts';
import { fault } from '../../base/fault.ts';
import { readSubject } from '../../git/commits.ts';
import { findLanding, type LandedLanding, lastLanded } from '../../store/tables/landings.ts';
import { findUndo, insertUndo, openUndos, settleUndo, type Undo, type UndoKind } from '../../store/tables/undos.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from '../landing/main-branch.ts';
import { refreshReviews } from '../landing/refresh-pending-reviews.ts';
import { LOCK_KEYS } from '../lock-keys.ts';
import { resolver } from '../rebase/resolve-conflict.ts';
import { finishRevert } from './revert-landing.ts';
import { finishBranchBack, requireOnBranch } from './take-branch-back.ts';
import { finishTakeBack, requireTakeBack } from './take-landing-back.ts';
import type { Undone, UndoResult } from './undo-result.ts';

export interface UndoRequest {
  readonly worker?: string | undefined;
  /** The accept that the person has confirmed; without it, the last one. */
  readonly landing?: string | undefined;
  /** Add a commit that does the opposite, instead of moving main back. */
  readonly revert?: boolean | undefined;
  /** Check and return what would be undone. */
  readonly dryRun?: boolean | undefined;
  /** Whether pending reviews are put on the new main afterwards. */
  readonly patrol?: boolean | undefined;
}

/** Takes the last accept back, or reverts it with a commit. A repeated call returns what the first one did. */
export async function undoWork(context: WorkContext, request: UndoRequest): Promise<UndoResult> {
  const { result, main } = await undoChosen(context, request);
  if (main === undefined || request.patrol !== true) return result;
  const others = refreshReviews(context, {
    except: result.worker,
    main: { branch: result.branch, sha: main },
    onConflict: resolver(context, 'patrol'),
  });
  if (!context.supervised) await others;
  return result;
}

async function undoChosen(context: WorkContext, request: UndoRequest): Promise<Undoing> {
  for (;;) {
    const landing = chosen(context, request);
    const undoing = await oneAtATime(context, landing.worker, async () =>
      // An accept was faster: now that one is the last.
      chosen(context, request).id === landing.id ? await undoLanding(context, landing, request) : undefined,
    );
    if (undoing !== undefined) return undoing;
  }
}

/** In this order: an accept has the lock of its worker, too, when it asks for the one of main. */
function oneAtATime<T>({ locks }: WorkContext, worker: string, work: () => Promise<T>): Promise<T> {
  return locks.withLock(worker, () => locks.withLock(LOCK_KEYS.undo, work));
}

/** Finishes every undo that a crash interrupted. */
export async function finishOpenUndos(context: WorkContext): Promise<void> {
  const { store, say } = context;
  for (const undo of openUndos(store.database)) {
    const landing = findLanding(store.database, undo.landing);
    if (landing === undefined) continue;
    const { worker, landed } = undo;
    await oneAtATime(context, worker, () => finish(context, undo, { ...landing, landed })).then(
      () => say(`Finished undoing the accept of ${worker}: ${landed.slice(0, 12)}`),
      (error: unknown) => say(`Could not finish undoing the accept of ${worker}: ${describeError(error)}`),
    );
  }
}

function chosen({ store }: WorkContext, { worker, landing: id }: UndoRequest): LandedLanding {
  const { database } = store;
  const confirmed = id === undefined ? undefined : findLanding(database, id);
  const landing = confirmed?.landed == null ? lastLanded(database, worker) : { ...confirmed, landed: confirmed.landed };
  if (landing !== undefined) return landing;
  // Throws for a name that no worker has and that no landing knows.
  if (worker !== undefined) store.worker(worker);
  throw new LlmcError('NOTHING_TO_UNDO', worker === undefined ? 'no accept has landed yet' : `no accept of ${worker} has landed yet`, {
    hint: 'llmc status',
  });
}

interface Undoing {
  readonly result: UndoResult;
  /** What main is now; undefined if it did not move. */
  readonly main: string | undefined;
}

async function undoLanding(context: WorkContext, landing: LandedLanding, { revert, dryRun }: UndoRequest): Promise<Undoing> {
  const earlier = findUndo(context.store.database, landing.id);
  const kind: UndoKind = earlier?.kind ?? (revert === true ? 'revert' : 'take_back');
  const subject = await readSubject(context.git, context.layout.root, landing.landed);
  const about = { landing: landing.id, worker: landing.worker, commit: landing.landed, subject, kind };
  if (earlier?.phase === 'settled') {
    const { branch, made } = earlier;
    return { result: { ...about, branch, outcome: 'already_undone', revert: made, ...toStatus(context, landing) }, main: undefined };
  }
  const branch = earlier?.branch ?? landing.branch ?? (await mainBranch(context, await context.config()));
  if (earlier === undefined) await requireUndoable(context, landing, branch, kind);
  if (dryRun === true)
    return { result: { ...about, branch, outcome: 'planned', revert: null, ...toStatus(context, landing) }, main: undefined };
  const undo = earlier ?? begin(context, landing, kind, branch);
  const { main, made, conversation } = await finish(context, undo, landing);
  const result: UndoResult = { ...about, branch, outcome: 'undone', revert: made, ...toStatus(context, landing), conversation };
  // Other reviews are based on main, which has not moved.
  return { result, main: landing.branch === null ? main : undefined };
}

async function requireUndoable(context: WorkContext, landing: LandedLanding, branch: string, kind: UndoKind): Promise<void> {
  if (landing.branch !== null) await requireOnBranch(context, landing, branch, kind);
  else if (kind === 'take_back') await requireTakeBack(context, landing, branch);
}

function toStatus({ store }: WorkContext, { worker }: LandedLanding): Pick<UndoResult, 'status' | 'conversation'> {
  return { status: store.state.workers[worker]?.status ?? null, conversation: null };
}

/** Writes the intent: after a crash, the undo is finished and not repeated. */
function begin({ store, clock, random }: WorkContext, landing: LandedLanding, kind: UndoKind, branch: string): Undo {
  const { id, worker, landed, onto } = landing;
  const row = {
    id: random.id(),
    landing: id,
    worker,
    kind,
    branch,
    landed,
    onto: kind === 'revert' ? null : onto,
    created_ms: clock.now(),
  };
  fault('undo:before-intent');
  store.commit({
    worker,
    kind: 'undo',
    summary: kind === 'revert' ? `reverting ${landed.slice(0, 12)} on ${branch}` : `taking ${landed.slice(0, 12)} back from ${branch}`,
    rows: (database) => insertUndo(database, row),
  });
  fault('undo:after-intent');
  return { ...row, phase: 'intended', made: null, outcome: null, problem: null, settled_ms: null };
}

/** An undo that fails before main moved is over. One that fails later stays open, so that another `undo` or `up` does the rest. */
async function finish(context: WorkContext, undo: Undo, landing: LandedLanding): Promise<Undone> {
  try {
    if (undo.kind === 'revert') return await finishRevert(context, undo);
    return await (landing.branch === null ? finishTakeBack : finishBranchBack)(context, undo, landing);
  } catch (error) {
    const { store, clock } = context;
    const problem = describeError(error);
    if (findUndo(store.database, landing.id)?.phase !== 'moved')
      store.commit({
        worker: undo.worker,
        kind: 'undo',
        summary: `not undone: ${problem}`,
        rows: (database) => settleUndo(database, undo.id, 'failed', clock.now(), problem),
      });
    throw error;
  }
}
