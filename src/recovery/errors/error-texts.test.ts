import { describe, expect, test } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../base/error-codes.ts';
import { errorRecord } from '../error-record.ts';
import { ERROR_TEXTS, remediationSteps, userMessage } from './error-texts.ts';

const AT = 1_800_000_000_000;
const yes = true;
const no = false;

/** The table of error codes. */
const CODES: readonly (readonly [
  ErrorCode,
  category: string,
  severity: string,
  recoverable: boolean,
  retryable: boolean,
  summary: string,
])[] = [
  ['AGENT_SPAWN_FAILED', 'AGENT_ERROR', 'error', yes, yes, 'the agent could not be started'],
  ['AGENT_TIMEOUT', 'AGENT_ERROR', 'error', yes, yes, 'the agent did not finish in time'],
  ['AGENT_CRASHED', 'AGENT_ERROR', 'error', yes, yes, 'the agent ended unexpectedly'],
  ['AGENT_INVALID_OUTPUT', 'AGENT_ERROR', 'warning', yes, yes, 'the agent left no valid result'],
  ['AGENT_BLOCKED', 'AGENT_ERROR', 'warning', yes, no, 'the agent waits for an answer'],
  ['AGENT_UNUSABLE', 'AGENT_ERROR', 'error', yes, no, 'the agent runs and cannot work'],
  ['WORKFLOW_TIMEOUT', 'WORKFLOW_ERROR', 'error', yes, no, 'the run takes longer than it may'],
  ['MAX_ITERATIONS', 'WORKFLOW_ERROR', 'warning', yes, no, 'the review still has remarks after its last round'],
  ['STAGE_FAILED', 'WORKFLOW_ERROR', 'error', yes, yes, 'a stage failed'],
  ['ROUTING_FAILED', 'WORKFLOW_ERROR', 'error', yes, yes, 'a message has no receiver'],
  ['TMUX_NOT_FOUND', 'SYSTEM_ERROR', 'fatal', no, no, 'tmux is not installed'],
  ['TMUX_SESSION_FAILED', 'SYSTEM_ERROR', 'error', yes, yes, 'tmux could not make a session'],
  ['GIT_WORKTREE_FAILED', 'SYSTEM_ERROR', 'error', yes, yes, 'git could not make a worktree'],
  ['AGENT_NOT_FOUND', 'AGENT_ERROR', 'error', no, no, 'the agent is not installed'],
  ['DATABASE_ERROR', 'SYSTEM_ERROR', 'error', yes, yes, 'the database of the root failed'],
  ['FILESYSTEM_ERROR', 'SYSTEM_ERROR', 'error', yes, yes, 'a file could not be read or written'],
  ['PERMISSION_DENIED', 'SYSTEM_ERROR', 'fatal', no, no, 'permission was denied'],
  ['RATE_LIMITED', 'EXTERNAL_ERROR', 'warning', yes, yes, 'the account is at its usage limit'],
  ['CLAUDE_API_ERROR', 'EXTERNAL_ERROR', 'error', yes, yes, 'the API of the agent returned an error'],
  ['NETWORK_ERROR', 'EXTERNAL_ERROR', 'error', yes, yes, 'the network failed'],
  ['INVALID_ARGUMENT', 'USER_ERROR', 'error', no, no, 'an argument is not valid'],
  ['SESSION_EXISTS', 'USER_ERROR', 'error', no, no, 'another session has that name'],
  ['SESSION_NOT_FOUND', 'USER_ERROR', 'error', no, no, 'the session is not running'],
];

test.each(CODES)('%s: %s, %s, recoverable %s, retryable %s: %s', (code, category, severity, recoverable, retryable, summary) => {
  expect(ERROR_CODES[code]).toEqual({ category, severity, recoverable, retryable });
  expect(ERROR_TEXTS[code]?.summary).toBe(summary);
  const record = errorRecord({ id: 'swarm-1.1', code, message: summary, component: 'develop', at: AT });
  expect(userMessage(record)).toMatch(/^(?:[A-Z]|llmc ).*\w/);
  expect(remediationSteps(record, 'swarm-1')).not.toEqual([]);
});

test('a workflow that does not exist is refused before there is a run', () => {
  expect(ERROR_CODES.WORKFLOW_NOT_FOUND).toEqual({ category: 'WORKFLOW_ERROR', severity: 'fatal', recoverable: false, retryable: false });
});

test('every text belongs to a code of the table', () => {
  expect(Object.keys(ERROR_TEXTS).toSorted()).toEqual(CODES.map(([code]) => code).toSorted());
});

const record = (code: ErrorCode, changes: Partial<Parameters<typeof errorRecord>[0]> = {}) =>
  errorRecord({ id: 'swarm-1.1', code, message: 'status 1', component: 'develop', role: 'developer', at: AT, ...changes });

test('an agent without a login is not one that waits for an answer', () => {
  const error = record('AGENT_UNUSABLE', { message: 'run /login', context: { agentError: 'auth' } });
  expect(userMessage(error)).toBe('The agent of developer is not logged in: run /login.');
  expect(remediationSteps(error, 'swarm-1')).toEqual(['Log in: llmc attach swarm-1-developer']);
});

describe('what a person reads', () => {
  test.each([
    [
      record('AGENT_CRASHED', { context: { agent: 'codex' } }),
      'The agent of developer (codex) ended unexpectedly: status 1.',
      'See why the agent ended: llmc why swarm-1-developer',
    ],
    [
      record('AGENT_INVALID_OUTPUT', { context: { agent: 'codex' } }),
      'What developer (codex) left for develop is missing or does not fit its schema.',
      'Say in the prompt of develop exactly which files it must leave.',
    ],
    [
      record('AGENT_TIMEOUT', { context: { timeoutMs: 7_200_000 } }),
      'The agent of developer did not finish within 2h. It may be working on something large.',
      'If develop needs more time, give it a longer timeout in the workflow file.',
    ],
    [
      record('AGENT_CRASHED'),
      'The agent of developer ended unexpectedly: status 1.',
      'See why the agent ended: llmc why swarm-1-developer',
    ],
    [
      record('AGENT_CRASHED', { cause: { ...record('AGENT_CRASHED'), component: 'swarm-1-developer-3' } }),
      'The agent of developer ended unexpectedly: status 1.',
      'See why the agent ended: llmc why swarm-1-developer-3',
    ],
    [
      record('MAX_ITERATIONS', { component: 'review', message: 'open remarks about develop are left after 3 rounds of review' }),
      'Open remarks about develop are left after 3 rounds of review.',
      'Read the last remarks of review, or allow it more rounds (max_rounds).',
    ],
    [
      record('RATE_LIMITED', { context: { retryInMs: 5_000 } }),
      'The account of developer is at its usage limit. The next try is in 5s.',
      'Give roles different accounts, or let fewer agents work at once.',
    ],
    [
      record('WORKFLOW_TIMEOUT', { context: { timeoutMs: 28_800_000 } }),
      'The run took longer than 8h. What its agents had left is kept.',
      'Give it its whole time again: llmc recover swarm-1',
    ],
    [
      record('AGENT_BLOCKED', {
        message: 'Please run /login',
        cause: { ...record('AGENT_BLOCKED', { context: { agentError: 'auth' } }), component: 'swarm-1-developer-2' },
      }),
      'The agent of developer is not logged in: Please run /login.',
      'Log in: llmc attach swarm-1-developer-2',
    ],
    [record('TMUX_NOT_FOUND'), 'llmc needs tmux, which is not installed.', 'Install it: sudo apt install tmux'],
    [record('GIT_WORKTREE_FAILED'), 'The worktree of developer could not be made: status 1.', 'Check the worktrees: llmc doctor --repair'],
  ])('$code', (error, message, first) => {
    expect(userMessage(error)).toBe(message);
    expect(remediationSteps(error, 'swarm-1')[0]).toBe(first);
  });

  test("an error's own suggestion comes first, and an unknown time is not made up", () => {
    expect(remediationSteps(record('DATABASE_ERROR', { suggestion: 'Free some space.' }), 'swarm-1')[0]).toBe('Free some space.');
    expect(userMessage(record('AGENT_TIMEOUT'))).toContain('within its time');
  });

  test('a code without a text of its own shows its message', () => {
    expect(userMessage(record('GIT_FAILED', { message: 'git ended with status 128' }))).toBe('Git ended with status 128.');
    expect(remediationSteps(record('GIT_FAILED'), 'swarm-1')).toEqual([]);
  });
});
