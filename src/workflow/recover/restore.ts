import type { Restored } from '../model/event.ts';
import type { Step } from '../model/run.ts';
import { runAgain } from '../next/compensate/roll-back.ts';
import { undoRest } from '../next/compensate/undo.ts';
import { closeEscalation } from '../next/escalation.ts';
import { openItems } from '../next/items/open-items.ts';
import { judgeLevel } from '../next/level.ts';
import { describeLoss } from '../next/loss.ts';
import { nameSeat } from '../next/seat.ts';
import type { Turn } from '../next/turn.ts';

/** Lets a run that has ended go on from a checkpoint, and from a part of it if a person names one. Numbers of actions, questions and versions go on, so old events stay old. */
export function restore(turn: Turn, restored: Restored): void {
  const { checkpoint, from, steps, roles, keepAgents, dropMessages, warnings } = restored;
  const { status, clock, escalations, seats, losses, steps: before } = turn.run;
  if (status !== 'failed' && status !== 'aborted' && (status !== 'done' || from === undefined)) return;
  for (const { number, answer } of escalations) if (answer === null) closeEscalation(turn, number, 'recovered', null);
  if (!keepAgents) restAll(turn);
  turn.change({
    status: 'running',
    error: null,
    recoveries: 0,
    steps,
    roles,
    warnings,
    breakers: {},
    dismissMs: null,
    // What stays left out is still missing.
    losses: losses.filter(({ step }) => step !== null && isStillLost(steps[step], before[step])),
    // Also those whose removal had begun.
    seats: [...new Set([...seats, ...collectSeats(turn).keys()])],
    // All the time so far does not count, so that a run whose time was over has its whole time again.
    clock: { ...clock, stoppedMs: turn.at - clock.startedMs, stoppedSince: null, endedMs: null },
  });
  // The run goes on without a stage that had ended it.
  for (const { address, state } of Object.values(steps))
    if (state.kind === 'skipped' && state.cause !== 'condition' && before[address]?.state.kind !== 'skipped')
      turn.warn(`${address} is left out: ${state.why}`, describeLoss(turn, address));
  for (const { address } of Object.values(steps)) {
    const stage = turn.stage(address);
    if (stage.kind === 'for_each' && turn.step(address).state.kind === 'under_way') openItems(turn, stage);
  }
  if (from !== undefined) runAgain(turn, from, `a person recovered the run from ${from}`);
  undoRest(turn);
  turn.change({ level: judgeLevel(turn) });
  if (dropMessages) turn.record({ kind: 'drop_messages' });
  turn.note(null, `recovered from ${checkpoint}`);
  turn.record({ kind: 'checkpoint', type: 'error_recovery', note: `recovered from ${checkpoint}` });
}

/** A list that went on without some of its items is done, and lacks them for as long as this end of it counts. */
function isStillLost(restored: Step | undefined, before: Step | undefined): boolean {
  if (restored?.state.kind === 'done') return before?.state.kind === 'done' && before.endedMs === restored.endedMs;
  return restored?.state.kind === 'skipped';
}

/** Ends every session that the run may have left behind. */
function restAll(turn: Turn): void {
  for (const [seat, address] of collectSeats(turn)) turn.perform(address, { kind: 'rest', seat });
}

/** The workers of the steps, each with one of its steps. */
function collectSeats(turn: Turn): ReadonlyMap<string, string> {
  return new Map(
    Object.values(turn.run.steps).flatMap(({ address, seat }) => (seat === null ? [] : [[nameSeat(turn, address), address] as const])),
  );
}
