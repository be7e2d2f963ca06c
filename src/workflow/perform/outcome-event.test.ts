import { expect, test } from 'vitest';
import type { Outcome } from '../../store/tables/tasks.ts';
import { outcomeEvent } from './outcome-event.ts';

const eventOf = (outcome: Outcome) =>
  outcomeEvent({ seq: 7, task: 'swarm-1.3', run: 'swarm-1', worker: 'swarm-1-developer', outcome, at_ms: 5 });

test.each<[Outcome, unknown]>([
  [{ kind: 'started' }, { kind: 'started' }],
  [{ kind: 'finished', commit: 'c1', message: 'done' }, { kind: 'finished' }],
  // The collection finds out what is missing.
  [{ kind: 'stopped', why: 'no commit', message: null }, { kind: 'finished' }],
  [
    { kind: 'asked', question: 'Which port?', choices: ['80', '8080'] },
    { kind: 'asked', question: 'Which port?\n- 80\n- 8080' },
  ],
  [
    { kind: 'asked', question: 'Log in', choices: [], terminal: true },
    { kind: 'asked', question: 'Log in', terminal: 'swarm-1-developer' },
  ],
  [
    { kind: 'failed', code: 'AGENT_BLOCKED', error: 'auth', message: 'Please run /login' },
    { kind: 'failed', error: { details: 'Log in: llmc attach swarm-1-developer', context: { agentError: 'auth' } } },
  ],
  [{ kind: 'answered' }, { kind: 'answered' }],
  [{ kind: 'parked', until_ms: null }, { kind: 'parked' }],
  [
    { kind: 'parked', until_ms: 9, limit: true },
    { kind: 'parked', limit: { untilMs: 9 } },
  ],
  [{ kind: 'unparked' }, { kind: 'unparked' }],
  [{ kind: 'lost', why: 'reboot' }, { kind: 'lost' }],
  [
    { kind: 'crashed', how: 'crashed', why: 'status 1', status: 1, screen: '/logs/s.txt', said: 'panic' },
    {
      kind: 'crashed',
      error: {
        code: 'AGENT_CRASHED',
        message: 'status 1',
        details: 'panic',
        id: 'swarm-1.report-7',
        context: { how: 'crashed', status: 1, output: '/logs/s.txt' },
      },
    },
  ],
  [
    { kind: 'crashed', how: 'not_found', why: 'its session is gone', screen: null },
    { kind: 'crashed', error: { code: 'AGENT_CRASHED', details: null, context: { how: 'not_found', status: null, output: null } } },
  ],
  [
    { kind: 'crashed', how: 'cannot_start', why: 'not found', screen: null },
    { kind: 'crashed', error: { code: 'AGENT_SPAWN_FAILED', component: 'swarm-1-developer', at: 5 } },
  ],
  [
    { kind: 'failed', code: 'RATE_LIMITED', error: 'rate_limit', message: 'too many' },
    { kind: 'failed', error: { code: 'RATE_LIMITED', message: 'too many', context: { agentError: 'rate_limit' } } },
  ],
  [
    { kind: 'landed', commit: null },
    { kind: 'landed', commit: null },
  ],
  [
    { kind: 'rejected', feedback: 'Name it' },
    { kind: 'rejected', feedback: 'Name it' },
  ],
])('%j is an event of the action that gave the task', (outcome, expected) => {
  expect(eventOf(outcome)).toMatchObject({ action: 'swarm-1.3', ...(typeof expected === 'object' && expected) });
});

test('a task that the run itself stopped tells it nothing new', () => {
  expect(eventOf({ kind: 'halted' })).toBeNull();
});
