import { clockTime } from '../../base/clock-time.ts';
import { formatSpan } from '../../base/duration.ts';
import type { Instant } from '../../base/ports.ts';
import type { Doing } from '../model/run.ts';
import type { Wait } from './waits.ts';

/** What a stage waits for, in words. */
export function waitText(wait: Wait, now: Instant): string {
  switch (wait.kind) {
    case 'person':
      return `asks you (#${wait.question.number}, ${wait.question.type.replace('_', ' ')})`;
    case 'review':
      return `waits for your review of ${wait.worker}`;
    case 'rework':
      return wait.conflict ? `${wait.role} resolves a conflict with main` : `${wait.role} works on your remarks`;
    case 'worker':
      return `${wait.worker} needs you: llmc why ${wait.worker}`;
    case 'agent':
      if (wait.nudged === true) return `${wait.role} takes longer than it may and is asked how far it is`;
      return wait.dueMs === null ? `${wait.role} works` : `${wait.role} works (timeout in ${formatSpan(Math.max(0, wait.dueMs - now))})`;
    case 'limit':
      return `${wait.role} waits for a usage limit`;
    case 'queue':
      return queueText(wait, now);
    case 'llmc':
      return wait.dueMs === null ? PERFORMED[wait.doing] : `${PERFORMED[wait.doing]}, ${formatSpan(Math.max(0, wait.dueMs - now))} left`;
    case 'breaker':
      return `its circuit breaker is open after ${wait.failures} failures${wait.untilMs === null ? '' : `, one more try at ${clockTime(wait.untilMs, now)}`}`;
    case 'pause':
      return wait.untilMs === null
        ? 'it goes on when you resume it'
        : `agents save what they have (${formatSpan(Math.max(0, wait.untilMs - now))} left)`;
    case 'time':
      return `tries again at ${clockTime(wait.untilMs, now)}`;
  }
}

/** An agent waits for a place among those of all runs; anything else only for what is before it. */
function queueText({ role, doing, sinceMs }: Extract<Wait, { kind: 'queue' }>, now: Instant): string {
  const needsAgent = role !== null && (doing === 'attempt' || doing === 'follow_up');
  const waited = now - sinceMs < 1_000 ? '' : ` for ${formatSpan(now - sinceMs)}`;
  return needsAgent ? `${role} waits for a place among the agents of runs (max_agents)${waited}` : `${QUEUED[doing]} waits in the queue`;
}

/** What a run waits for, in words, with its stage and the question. */
export function runWaitText(wait: Wait, now: Instant): string {
  const text = wait.kind === 'person' ? `${waitText(wait, now)}: ${wait.question.text.split('\n', 1)[0]}` : waitText(wait, now);
  return wait.step === null ? text : `${wait.step}: ${text}`;
}

const QUEUED: Readonly<Record<Doing, string>> = {
  attempt: 'its agent',
  follow_up: 'a message to its agent',
  save: 'the request to save',
  collect: 'the collection of its result',
  check: 'its command',
  land: 'its landing',
  undo: 'taking a landing back',
};

const PERFORMED: Readonly<Record<Doing, string>> = {
  attempt: 'its agent is being started',
  follow_up: 'its agent is being told',
  save: 'its agent saves what it has',
  collect: 'its result is being collected',
  check: 'its command runs',
  land: 'its landing is under way',
  undo: 'a landing is being taken back from main',
};
