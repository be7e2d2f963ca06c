import type { Checkpoint } from '../checkpoint/checkpoints.ts';
import { listParts } from '../control/named-part.ts';
import { inItem } from '../model/address.ts';
import type { Compensation } from '../model/compensation.ts';
import type { Restored } from '../model/event.ts';
import { isMaybeOnMain, isOver, type Run, type Step } from '../model/run.ts';
import { itemAround, listItems, listSiblings, type RunStage, stageAt, stagesAfter, stagesIn } from '../model/stage-at.ts';
import { withMark } from '../model/with-mark.ts';
import { findPart } from '../next/compensate/part.ts';
import { hasEnded } from '../next/next.ts';
import { roleAt } from '../next/seat.ts';
import type { CheckpointSummary } from '../store/ports.ts';
import type { StoredRunState } from '../store/run-schema.ts';
import { settleItems } from './settle-items.ts';

export interface RecoverOptions {
  /** The newest sound one if undefined. */
  readonly checkpoint?: string | undefined;
  /** A stage, an item or a stage of an item that begins again with everything after it; also in a run that is done. */
  readonly from?: string | undefined;
  /** Runs the failed stage again; otherwise it is skipped, unless a later stage needs its result. */
  readonly retryFailedStage: boolean;
  /** The agents go on in their conversations; otherwise each begins a fresh one. */
  readonly keepAgents: boolean;
  readonly dropMessages: boolean;
}

export type RecoveryRefusal =
  | { readonly kind: 'not_ended' }
  | { readonly kind: 'done' }
  | { readonly kind: 'unknown_part'; readonly name: string }
  | { readonly kind: 'no_checkpoint'; readonly damaged: readonly string[] }
  | { readonly kind: 'unknown_checkpoint'; readonly known: readonly string[] }
  | { readonly kind: 'damaged_checkpoint' };

interface Planned {
  readonly stage: string;
  readonly fate: Fate;
  readonly step: Step | undefined;
}

export interface RecoveryPlan {
  readonly from: CheckpointSummary;
  /** Newer checkpoints that are damaged. */
  readonly passedOver: readonly string[];
  /** Each stage, and what becomes of it. */
  readonly stages: readonly { readonly stage: string; readonly fate: Fate }[];
  readonly restored: Restored;
}

/**
 * `kept`: it has ended and stays so. `again`: it was under way. `needed`: it failed, and a later stage needs its result. `repeated`: it was
 * done after the checkpoint. `undone`: a person wants it from its beginning, or it comes after such a stage. `reopened`: a part of it is
 * undone.
 */
export type Fate = 'kept' | 'again' | 'undone' | 'reopened' | 'needed' | 'repeated' | 'skipped' | 'waits';

/** What a recovery reads of a checkpoint. */
type Saved = CheckpointSummary & Pick<Checkpoint, 'state'>;

/** Decides what a recovery would do. Pure: a dry run prints this very plan. */
export function planRecovery(ended: Run, checkpoints: readonly Saved[], options: RecoverOptions): RecoveryPlan | RecoveryRefusal {
  const run = withLateLandings(ended);
  const { from: again } = options;
  if (run.status === 'done' && again === undefined) return { kind: 'done' };
  if (!hasEnded(run)) return { kind: 'not_ended' };
  if (again !== undefined && !listParts(run).includes(again)) return { kind: 'unknown_part', name: again };
  const found = choose(checkpoints, options.checkpoint);
  if ('kind' in found) return found;
  const { id, state, ...from } = found.checkpoint;
  const before = withoutUndone(run, state);
  const { undone, reopened } = beginningAgain(run, again);
  const isUndone = (address: string) => undone.has(address) || listOuter(run, address).some((outer) => undone.has(outer));
  const isAsLeft = (address: string) => reopened.has(address) || isUndone(address);
  const landed = landedIn(run);
  const fates = judgeFates(run, before, { ...options, isUndone, reopened, landed });
  const stages = listStages(run, before).flatMap((stage): readonly Planned[] => {
    const fate = fates.get(stage.id) ?? 'waits';
    // What begins again is undone as the run has left it, and a run that is done has nothing else to go on with.
    if (isAsLeft(stage.id) || run.status === 'done') return [{ stage: stage.id, fate, step: run.steps[stage.id] }];
    const step = stepFor(run.steps[stage.id], before[stage.id], fate, options);
    return !landed.has(stage.id) && isGone(run, stage.id, fates)
      ? []
      : [{ stage: stage.id, fate, step: step && goingOn(run, stage, step, fate) }];
  });
  const steps = Object.fromEntries(stages.flatMap(({ stage, step }) => (step === undefined ? [] : [[stage, step]])));
  const settled = Object.entries(oneTaskEach(run, settleItems(run, openAgain(markReviewed(run, steps, isUndone), reopened))));
  return {
    from: { id, ...from },
    passedOver: found.passedOver,
    // The items of a list that is read again are not known yet.
    stages: stages.flatMap(({ stage, fate }) => (fate === 'undone' && !undone.has(stage) ? [] : [{ stage, fate }])),
    restored: {
      checkpoint: id,
      ...(again !== undefined && { from: again }),
      steps: Object.fromEntries(settled.map(([address, step]) => [address, (isAsLeft(address) && run.steps[address]) || step])),
      roles: rolesFor(run.roles, options),
      keepAgents: options.keepAgents,
      dropMessages: options.dropMessages,
      warnings: run.status === 'done' ? run.warnings : state.warnings,
    },
  };
}

/** An item that opens again has not ended: its stages that were not done go on, although the end of the run had ended it. */
function openAgain(steps: Run['steps'], reopened: ReadonlySet<string>): Run['steps'] {
  const isReopenedItem = ({ address, item }: Step) => item !== null && item !== undefined && reopened.has(address);
  return Object.fromEntries(
    Object.entries(steps).map(([address, step]) => [
      address,
      isReopenedItem(step) ? { ...step, state: { kind: 'under_way', deadline: null } } : step,
    ]),
  );
}

/** What landed after the run had ended has landed. */
function withLateLandings(run: Run): Run {
  const late = stagesIn(run).flatMap(({ id, kind }) => (kind === 'land' && run.steps[id]?.result?.commit != null ? [run.steps[id]] : []));
  const done = late.map((step) => [step.address, { ...step, state: { kind: 'done' } }] as const);
  return { ...run, steps: { ...run.steps, ...Object.fromEntries(done) } };
}

/** What was undone since the checkpoint stays undone: its files are in the archive, and its landing is not on main any more. */
function withoutUndone(run: Run, { steps, compensations }: StoredRunState): Run['steps'] {
  const undone = run.compensations.slice(compensations.length).map((one) => undoneBy(run, one));
  return Object.fromEntries(Object.entries(steps).filter(([address]) => !undone.some((isUndone) => isUndone(address))));
}

/** Of a `for_each`, a rollback may undo some items only: the others stay as they were. */
function undoneBy(run: Run, { stage, items }: Compensation): (address: string) => boolean {
  const addresses = new Set(stagesAfter(run, stage));
  return (address) => {
    if (addresses.has(address)) return true;
    const outer = listOuter(run, address);
    if (items === undefined || !outer.includes(stage)) return outer.some((one) => addresses.has(one));
    // An item goes on if one of its stages begins again.
    return [address, ...outer].some((one) => items.includes(one)) || items.some((one) => listOuter(run, one).includes(address));
  };
}

interface Sound {
  readonly checkpoint: CheckpointSummary & { readonly state: StoredRunState };
  readonly passedOver: readonly string[];
}

function choose(checkpoints: readonly Saved[], wanted: string | undefined): Sound | RecoveryRefusal {
  const passedOver: string[] = [];
  for (const checkpoint of checkpoints) {
    const { id, state } = checkpoint;
    if (wanted !== undefined && id !== wanted) continue;
    if (state !== null) return { checkpoint: { ...checkpoint, state }, passedOver };
    if (wanted !== undefined) return { kind: 'damaged_checkpoint' };
    passedOver.push(id);
  }
  return wanted === undefined
    ? { kind: 'no_checkpoint', damaged: passedOver }
    : { kind: 'unknown_checkpoint', known: checkpoints.map(({ id }) => id) };
}

/** Whether a review or a landing has nothing to do without the result of the stage. */
function isNeeded(run: Run, id: string): boolean {
  const needs = (stage: RunStage): boolean => (stage.kind === 'review' || stage.kind === 'land') && stage.of === id;
  return listSiblings(run, id).some((stage) => needs(stage) && run.steps[stage.id]?.state.kind !== 'done');
}

function judgeFates(run: Run, before: Run['steps'], options: RecoverOptions & Again): ReadonlyMap<string, Fate> {
  const fates = new Map<string, Fate>();
  for (const stage of listStages(run, before)) {
    const isUndone = options.isUndone(stage.id);
    if (isUndone || options.reopened.has(stage.id) || run.status === 'done') {
      fates.set(stage.id, isUndone ? 'undone' : options.reopened.has(stage.id) ? 'reopened' : 'kept');
      continue;
    }
    const isInside = listOuter(run, stage.id).every((outer) => fates.get(outer) !== 'waits');
    const isReady = isInside && stage.needs.every((need) => fates.get(need) === 'kept');
    const isEarly = stage.needs.some((need) => !['kept', 'skipped'].includes(fates.get(need) ?? 'kept'));
    const mayRepeat = options.checkpoint !== undefined && stage.kind !== 'land' && !options.landed.has(stage.id);
    const circumstances = { options, isReady, isEarly, mayRepeat, isNeeded: isNeeded(run, stage.id) };
    // What ended in a list that is left out has ended all the same, and may have landed.
    const isLeft = run.steps[stage.id] !== undefined && listOuter(run, stage.id).some((outer) => fates.get(outer) === 'skipped');
    fates.set(stage.id, isLeft ? 'kept' : judgeFate(run.steps[stage.id], before[stage.id], circumstances));
  }
  return fates;
}

interface Again {
  readonly isUndone: (address: string) => boolean;
  readonly reopened: ReadonlySet<string>;
  /** What has landed, or may land, with all that belongs to it. */
  readonly landed: ReadonlySet<string>;
}

/** `undone`: what a person wants again, and what comes after it. `reopened`: what that is in; its other items and stages stay. */
function beginningAgain(
  run: Run,
  again: string | undefined,
): { readonly undone: ReadonlySet<string>; readonly reopened: Again['reopened'] } {
  if (again === undefined) return { undone: new Set(), reopened: new Set() };
  const part = findPart(run, again);
  if (part === undefined) return { undone: new Set(stagesAfter(run, again)), reopened: new Set() };
  const [, ...after] = stagesAfter(run, part.forEach);
  const undone = new Set([...part.items, ...part.stages, ...after]);
  return { undone, reopened: new Set(listOuter(run, again).filter((outer) => !undone.has(outer))) };
}

/** The stages of now and of the checkpoint: items may have been added since. */
function listStages({ plan, steps }: Run, before: Run['steps']): readonly RunStage[] {
  return stagesIn({ plan, steps: { ...before, ...steps } });
}

/** Everything in which something has landed, and what led to it in the same item: an item is not done a second time. */
function landedIn(run: Run): ReadonlySet<string> {
  const landed = stagesIn(run).filter(({ id, kind }) => kind === 'land' && run.steps[id] !== undefined && isMaybeOnMain(run.steps[id]));
  return new Set(
    landed.flatMap(({ id }) => {
      const outer = listOuter(run, id);
      return outer.length === 0 ? [id] : [...outer, ...listSiblings(run, id).map((stage) => stage.id)];
    }),
  );
}

/** The item and the `for_each` that a stage is in. */
function listOuter(run: Run, address: string): readonly string[] {
  const around = itemAround(run, address);
  if (around === undefined) return [];
  const item = inItem(around.within.id, around.key);
  return item === address ? [around.within.id] : [around.within.id, item];
}

/** A list that is read again makes its items again, and an item that begins again makes its stages again; but what has landed stays. */
function isGone(run: Run, address: string, fates: ReadonlyMap<string, Fate>): boolean {
  return listOuter(run, address).some((outer) => !['kept', 'again', 'reopened', 'skipped'].includes(fates.get(outer) ?? 'waits'));
}

/** What is under way inside of it goes on. */
function goingOn(run: Run, stage: RunStage, step: Step, fate: Fate): Step {
  const isOuter = stage.kind === 'item' || (stage.kind === 'for_each' && listItems(run, stage.id).length > 0);
  return fate === 'again' && isOuter ? { ...step, state: { kind: 'under_way', deadline: null } } : step;
}

/** Another step may have got the worker of one that had ended. The step that had it last keeps it. */
function oneTaskEach(run: Run, steps: Run['steps']): Run['steps'] {
  const open = Object.values(steps).filter(({ seat, state }) => seat !== null && state.kind === 'cooling');
  const roleOf = ({ address }: Step) => roleIn(run, address);
  const lastOf = ({ tried }: Step) => Number(tried.at(-1)?.split('.').at(-1) ?? 0);
  const without = open.filter((step) =>
    open.some((other) => other.seat === step.seat && roleOf(other) === roleOf(step) && lastOf(other) > lastOf(step)),
  );
  const waiting = without.map((step) => [step.address, { ...step, state: { kind: 'waiting' }, seat: null, tried: [] }] as const);
  return { ...steps, ...Object.fromEntries(waiting) };
}

function roleIn(run: Run, address: string): string | undefined {
  const stage = stageAt(run, address);
  return stage && roleAt(stage);
}

interface Circumstances {
  readonly options: RecoverOptions;
  /** A later stage has nothing to do without its result. */
  readonly isNeeded: boolean;
  /** Everything that the stage needs stays as it ended. */
  readonly isReady: boolean;
  /** Something that the stage needs is made first, from an older checkpoint. */
  readonly isEarly: boolean;
  /** Work that is done is not done again unless a person names an older checkpoint. What has landed stays landed. */
  readonly mayRepeat: boolean;
}

function judgeFate(
  now: Step | undefined,
  before: Step | undefined,
  { options, isNeeded, isReady, isEarly, mayRepeat }: Circumstances,
): Fate {
  // A person has decided, and is not asked again.
  if (isLeftOut(now) && options.checkpoint === undefined) return 'kept';
  // An item that failed has ended: the run went on without it.
  if (now?.item != null && now.state.kind === 'failed' && !mayRepeat) return 'kept';
  if (before !== undefined && isOver(before) && (before.state.kind !== 'failed' || before.item !== null))
    return options.checkpoint === undefined && wasSentBack(now, before) ? 'again' : 'kept';
  if (now?.state.kind === 'done') return mayRepeat ? 'repeated' : 'kept';
  // The stage that ended the run. An abort or a timeout of the whole run has none.
  if (now?.state.kind === 'failed') {
    if (!options.retryFailedStage && !isNeeded) return 'skipped';
    return isEarly ? 'waits' : options.retryFailedStage ? 'again' : 'needed';
  }
  // A stage that began right after the checkpoint was under way too.
  const hadBegun = isReady && now?.startedMs != null;
  return (before === undefined || before.state.kind === 'waiting') && !hadBegun ? 'waits' : 'again';
}

function isLeftOut(now: Step | undefined): boolean {
  return now?.state.kind === 'skipped' && now.state.cause === 'person';
}

/** A review had remarks after the checkpoint, and the stage was at work on them when the run ended. */
function wasSentBack(now: Step | undefined, before: Step): boolean {
  return now !== undefined && now.state.kind !== 'done' && now.round > before.round;
}

/** Counters of failures begin again. Results, rounds and remarks since the checkpoint stay, unless a person names the checkpoint. */
function stepFor(
  now: Step | undefined,
  before: Step | undefined,
  fate: Fate,
  { keepAgents, checkpoint }: RecoverOptions,
): Step | undefined {
  if (fate === 'kept') return now?.state.kind === 'done' || isLeftOut(now) || before === undefined || !isOver(before) ? now : before;
  const base = checkpoint === undefined ? (now ?? before) : (before ?? now);
  if (base === undefined) return base;
  const { attempt, seat, tried, offer = null } = now ?? base;
  const reset = { ...base, ...(offer !== null && { offer }), attempt, tries: 0, failures: {}, recoveredMs: null, endedMs: null };
  switch (fate) {
    case 'skipped':
      return {
        ...reset,
        state: { kind: 'skipped', why: 'it failed, and the recovery skipped it', cause: 'failure' },
        marks: withMark(base.marks, 'partial'),
      };
    case 'again':
    case 'needed':
      // Due at once. The same worker goes on in its worktree with what it had left there.
      return seat === null
        ? { ...reset, state: { kind: 'waiting' } }
        : {
            ...reset,
            seat,
            tried,
            state: { kind: 'cooling', until: 0, redo: { kind: 'attempt', conversation: keepAgents ? 'resume' : 'fresh' } },
          };
    case 'undone':
    case 'reopened':
    case 'repeated':
    case 'waits':
      return { ...reset, state: { kind: 'waiting' }, seat: null, tried: [] };
  }
}

/** What a skipped review should have checked is not verified, unless the review begins again, or its work got another mark for it. */
function markReviewed(
  { plan, steps: ended }: Run,
  steps: Readonly<Record<string, Step>>,
  isUndone: Again['isUndone'],
): Readonly<Record<string, Step>> {
  const marked = { ...steps };
  for (const stage of stagesIn({ plan, steps })) {
    const step = steps[stage.id];
    const of = stage.kind === 'review' ? marked[stage.of] : undefined;
    if (step?.state.kind === 'skipped' && step.state.cause !== 'condition' && of?.state.kind === 'done' && !isUndone(stage.id))
      marked[of.address] = { ...of, marks: marksOfSkip(ended[stage.id]).reduce(withMark, of.marks) };
  }
  return marked;
}

function marksOfSkip(ended: Step | undefined): readonly string[] {
  return ended?.state.kind === 'skipped' && ended.marks.length > 0 ? ended.marks : ['unverified'];
}

/** Every role gets its own agent back, unless the agents are kept. */
function rolesFor(roles: Run['roles'], { keepAgents, dropMessages }: RecoverOptions): Run['roles'] {
  return Object.fromEntries(
    Object.entries(roles).map(([role, { agent, letters }]) => [
      role,
      { agent: keepAgents ? agent : 'own', unavailable: false, letters: dropMessages ? [] : letters },
    ]),
  );
}
