import { visibleLine } from '../../base/visible-text.ts';
import { evaluate, undecided } from '../definition/condition.ts';
import { splitPath, type Values, valueAt } from '../definition/values.ts';
import { inItem } from '../model/address.ts';
import { isOver } from '../model/run.ts';
import { itemAround, type RunStage } from '../model/stage-at.ts';
import { isHeld, passes } from './breaker/breaker.ts';
import { refuse } from './breaker/when-open.ts';
import { holding } from './compensate/undo.ts';
import { endRun } from './end-run.ts';
import { ending } from './items/end-items.ts';
import { leaveItem } from './items/leave-items.ts';
import { hasRoom } from './items/start-items.ts';
import { describeLoss } from './loss.ts';
import { skip } from './skip.ts';
import { redo, startStage } from './start-stage.ts';
import type { Turn } from './turn.ts';
import { collectValues, meetsConditions } from './values.ts';

/** Sets everything in motion that waits for nothing any more, and ends the run after its last stage. */
export function advance(turn: Turn): void {
  // Skipping a stage can make an earlier one in the file ready, so they are found one by one.
  for (let ready = nextReady(turn); ready !== undefined; ready = nextReady(turn)) ready();
  endRun(turn);
}

function nextReady(turn: Turn): (() => void) | undefined {
  if (turn.run.status !== 'running') return undefined;
  // A window that is full is full for all of its items.
  const full = new Set<string>();
  for (const { address, state } of Object.values(turn.run.steps)) {
    if (state.kind === 'cooling' && turn.at >= state.until) {
      const stage = turn.stage(address);
      if (!isHeld(turn, stage)) return () => (passes(turn, stage) ? redo(turn, address, state.redo) : refuse(turn, stage));
    }
    if (state.kind === 'waiting') {
      const stage = turn.stage(address);
      if (isReady(turn, stage, full) && !isHeld(turn, stage)) return () => startOrSkip(turn, stage);
    }
    if (state.kind === 'under_way' || state.kind === 'asking') {
      const end = ending(turn, turn.stage(address));
      if (end !== undefined) return end;
    }
  }
  return undefined;
}

/** What a review or a landing is about must have ended too: another review may have sent it back. */
function isReady(turn: Turn, stage: RunStage, full: Set<string>): boolean {
  const around = itemAround(turn.run, stage.id);
  if (around !== undefined && stage.kind !== 'item' && turn.step(inItem(around.within.id, around.key)).state.kind !== 'under_way')
    return false;
  // What this item had landed is still being taken back.
  if (around !== undefined && isHeldBack(turn, around.within.id, around.key)) return false;
  if (around !== undefined && stage.kind === 'item') {
    if (full.has(stage.within)) return false;
    if (!hasRoom(turn, around.within)) {
      full.add(stage.within);
      return false;
    }
  }
  const about = stage.kind === 'review' || stage.kind === 'land' ? [stage.of] : [];
  return [...stage.needs, ...about].every((need) => isOver(turn.step(need)));
}

function isHeldBack({ run }: Turn, forEach: string, key: string): boolean {
  return holding(run, forEach)?.items?.some((part) => itemAround(run, part)?.key === key) === true;
}

function startOrSkip(turn: Turn, stage: RunStage): void {
  const { id, when, whenUnknown, whenNot } = stage;
  const values = collectValues(turn.run, id);
  const wanted = meetsConditions(turn.run, stage);
  const isUnknown = when !== undefined && evaluate(when, values) === 'unknown';
  const missing = isUnknown ? undecided(when, values).filter((path) => shouldBeThere(path, values)) : [];
  if (missing.length > 0)
    turn.note(
      id,
      `${areNotKnown(missing)}; ${whenUnknown === undefined ? 'without when_unknown, it is left out' : 'when_unknown decides'}`,
    );
  if (!wanted && whenNot !== undefined) return leaveAround(turn, id, valueAt(values, whenNot.leave));
  if (!wanted && missing.length > 0) return leaveUndecided(turn, stage, missing);
  if (!wanted) return skip(turn, id, 'its condition does not hold');
  if (!passes(turn, stage)) return refuse(turn, stage);
  if (turn.step(id).startedMs === null) turn.changeStep(id, { startedMs: turn.at });
  startStage(turn, stage);
}

/** An input, or the result of a stage that was skipped, may be missing on purpose. What a stage has left should say what it was made for. */
function shouldBeThere(path: string, values: Values): boolean {
  const { name } = splitPath(path, Object.keys(values));
  if (name === undefined || name === 'inputs' || name === 'item') return false;
  return valueAt({ [name]: values[name] }, `${name}.state`) === 'done';
}

function areNotKnown(paths: readonly string[]): string {
  return `${paths.join(', ')} ${paths.length === 1 ? 'is' : 'are'} not known`;
}

/** A review that may have been needed leaves its work unverified. */
function leaveUndecided(turn: Turn, { id, kind }: RunStage, missing: readonly string[]): void {
  const why = `${areNotKnown(missing)}, so nobody can tell whether it is needed`;
  skip(turn, id, why, kind === 'review' ? 'unverified' : undefined, 'condition');
  turn.warn(`${id} was skipped: ${why}`, describeLoss(turn, id));
}

/** The item needs no more work. An agent may have written why, so its text can have any shape. */
function leaveAround(turn: Turn, address: string, why: unknown): void {
  const around = itemAround(turn.run, address);
  const text = typeof why === 'string' && why.trim() !== '' ? `left: ${visibleLine(why.trim().slice(0, LONGEST_WHY))}` : 'left';
  skip(turn, address, text);
  if (around !== undefined) leaveItem(turn, inItem(around.within.id, around.key), text, 'condition');
}

/** Characters; the file of the stage has all of it. */
const LONGEST_WHY = 500;
