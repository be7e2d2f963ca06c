import type { RunEvent, What } from '../model/event.ts';
import type { Run } from '../model/run.ts';
import { restore } from '../recover/restore.ts';
import { advance } from './advance.ts';
import { answered } from './answered.ts';
import { begin } from './begin.ts';
import { landedLate } from './compensate/late-landing.ts';
import { undoneLate } from './compensate/undo.ts';
import { decided } from './decided.ts';
import { endAsAborted } from './end-run.ts';
import { answeredInPause } from './interrupt/answered-in-pause.ts';
import { beginPause, settlePause } from './interrupt/interrupt.ts';
import { endPause } from './interrupt/resume.ts';
import { judgeLevel } from './level.ts';
import { deadLetter, keepLetter, passOn, unreadable } from './pass-on.ts';
import { dismissIfDue, stays } from './release/dismiss.ts';
import { due } from './time/due.ts';
import { away, keepClock } from './time/run-clock.ts';
import { type Decision, type RunPolicy, Turn } from './turn.ts';

/** Decides what follows an event. Pure: the same run, event and policy give the same decision. */
export function next(run: Run, event: RunEvent, policy: RunPolicy): Decision {
  const turn = new Turn(run, event, policy);
  if (!hasEnded(run) || event.what.kind === 'recovered') {
    react(turn, event.what);
    settlePause(turn);
    advance(turn);
    keepClock(turn);
  } else afterTheEnd(turn, event.what);
  // What is missing decides how much is left, also when it comes after all.
  if (turn.run.losses !== run.losses && turn.run.status !== 'failed') turn.change({ level: judgeLevel(turn) });
  return turn.decision();
}

export function hasEnded({ status }: Pick<Run, 'status'>): boolean {
  return status === 'done' || status === 'failed' || status === 'aborted';
}

/** Nothing more happens in a run that has ended, but its workers are removed. */
function afterTheEnd(turn: Turn, what: What): void {
  if (what.kind === 'kept') stays(turn, what);
  if (what.kind === 'tick') dismissIfDue(turn);
  if (what.kind === 'not_done') notDone(turn, what);
  if (what.kind === 'landed') landedLate(turn, what.action, what.commit);
  if (what.kind === 'undone') undoneLate(turn, what.action, what.revert);
  if (what.kind === 'message' || what.kind === 'undelivered') deadLetter(turn, what, 'the run has ended');
}

function notDone(turn: Turn, { error }: Extract<What, { kind: 'not_done' }>): void {
  turn.record({ kind: 'error', error });
  turn.note(error.component, error.message);
}

function react(turn: Turn, what: What): void {
  switch (what.kind) {
    case 'begin':
      return begin(turn);
    case 'tick':
      return due(turn);
    case 'away':
      return away(turn, what.ms);
    case 'decided':
      return decided(turn, what);
    case 'abort':
      return endAsAborted(turn, what.why);
    case 'pause':
      return beginPause(turn, what);
    case 'resume':
      return endPause(turn, what.how);
    case 'checkpoint':
      return turn.record({ kind: 'checkpoint', type: 'manual', note: what.note });
    case 'message':
      return passOn(turn, what);
    case 'recovered':
      return restore(turn, what);
    case 'unreadable':
      return unreadable(turn, what);
    case 'undelivered':
      return keepLetter(turn, what);
    case 'kept':
      return stays(turn, what);
    case 'not_done':
      return notDone(turn, what);
    default:
      return turn.run.status === 'running' ? answered(turn, what) : answeredInPause(turn, what);
  }
}
