import type { Escalation, EscalationType } from '../../../src/workflow/model/escalation.ts';
import type { RunEvent } from '../../../src/workflow/model/event.ts';
import type { Run } from '../../../src/workflow/model/run.ts';
import { hasEnded } from '../../../src/workflow/next/next.ts';

/** Named here and not taken from the product: a kind that the product forgets is found. */
const WAITING: readonly EscalationType[] = ['approval', 'compensation', 'quality_floor', 'crash', 'blocked'];
/** What an agent that had a question does without an answer of a person: it went on or ended. */
const BY_AGENT = ['answered', 'finished', 'crashed', 'lost', 'failed'];
const BY_PERSON = ['pause', 'resume', 'abort', 'recovered'];

/** Questions that wait for a person are answered by a person, once, and what they are about does not move before that. */
export function questionsLaw(before: Run, event: RunEvent, run: Run): void {
  const numbers = run.escalations.map(({ number }) => number);
  if (new Set(numbers).size !== numbers.length) throw new Error(`two questions have one number: ${numbers.join(', ')}`);
  for (const asked of before.escalations) {
    const now = run.escalations.find(({ number }) => number === asked.number);
    if (now === undefined) {
      if (asked.answer === null) throw new Error(`the question #${asked.number} is gone`);
      continue;
    }
    if (asked.answer !== null) {
      if (now.answer !== asked.answer) throw new Error(`the answer to #${asked.number} changes`);
    } else if (WAITING.includes(asked.type) && !isUndone(before, run, asked)) stays(event, run, asked, now);
  }
  for (const { number, type, deadline } of run.escalations)
    if (deadline !== null && WAITING.includes(type)) throw new Error(`#${number} (${type}) would answer itself`);
}

/** A rollback made its step again: it began from nothing, and may be at work. */
function isUndone(before: Run, run: Run, { type }: Escalation): boolean {
  return type === 'blocked' && run.compensations.length > before.compensations.length;
}

function stays({ what }: RunEvent, run: Run, { number, type, step }: Escalation, { answer }: Escalation): void {
  const state = step === null ? undefined : run.steps[step]?.state;
  const name = `#${number} (${type}) of ${step}`;
  if (answer === null) {
    if (hasEnded(run) || type === 'blocked') return;
    if (state?.kind !== 'asking' || state.escalation !== number) throw new Error(`${name} is open, and its step is ${state?.kind}`);
    return;
  }
  if (answer.by === 'default') throw new Error(`${name} answered itself: ${answer.option}`);
  if (answer.by === 'person') {
    const isAnswer = what.kind === 'decided' && what.escalation === number && what.option === answer.option;
    if (!isAnswer) throw new Error(`${name} was answered by ${what.kind}`);
    return;
  }
  if (BY_PERSON.includes(what.kind) || (type === 'blocked' && BY_AGENT.includes(what.kind))) return;
  // A pause holds its agent, which goes on later and asks again.
  if (type === 'blocked' && (run.status === 'pausing' || run.status === 'paused') && state?.kind === 'cooling') return;
  // Another stage has ended it: it was rolled back or left out, and never went on.
  if (state !== undefined && !['skipped', 'waiting', 'failed'].includes(state.kind))
    throw new Error(`${name} was closed by ${what.kind}, and its step is ${state.kind}`);
}
