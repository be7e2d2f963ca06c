import type { LaunchRequest } from '../../src/agents/launch.ts';
import type { Step } from '../codex/responses-steps.ts';
import type { Situation } from './situation.ts';

/** How Codex is started for a situation, and what the API answers. */
export interface CodexStart {
  readonly answers?: readonly Step[];
  readonly request?: Partial<LaunchRequest>;
  /** Added to the provider's table. */
  readonly provider?: string;
}

export interface CodexSituation extends Situation {
  readonly start: CodexStart;
}

const HELLO = { send: 'Say hello to the team' };
const ONCE = { requests: 1 };
const NO_RETRIES = 'request_max_retries = 0\nstream_max_retries = 0';
const text = (said: string): Step => ({ kind: 'text', text: said });
const exec = (cmd: string, more: Readonly<Record<string, unknown>> = {}): Step => ({
  kind: 'tool',
  name: 'exec_command',
  input: { cmd, ...more },
});
const error = (status: number, body: Readonly<Record<string, unknown>>): Step => ({ kind: 'error', status, error: body });

/** A turn that fails at once. */
const failure = (name: string, expected: string, step: Step): CodexSituation => ({
  name,
  expected,
  start: { answers: [step, step], provider: NO_RETRIES },
  moves: [HELLO, ONCE],
});

const RESET_S = Date.UTC(2030, 0, 15, 18, 0) / 1_000;

/** Replies that look like something else. */
const TRAP = ['Earlier the log said:', '■ You have hit your usage limit.', 'Would you like to run this? (esc to interrupt)'].join('\n\n');

export const CODEX_SITUATIONS: readonly CodexSituation[] = [
  { name: 'ready', expected: 'ready', start: {}, moves: [] },
  { name: 'typed', expected: 'ready', box: 'draft', start: {}, moves: [{ type: 'A draft that nobody has sent' }] },
  { name: 'pasted', expected: 'ready', box: 'folded', start: {}, moves: [{ type: 'A line of a long text\n'.repeat(80) }] },
  { name: 'waiting', expected: 'processing', start: { answers: [{ kind: 'hang' }] }, moves: [HELLO, ONCE], moving: true },
  {
    name: 'streaming',
    expected: 'processing',
    moving: true,
    start: { answers: [{ kind: 'stall', text: 'I begin with the first part' }] },
    moves: [HELLO, { shows: 'I begin with' }],
  },
  {
    name: 'tool-running',
    expected: 'processing',
    moving: true,
    start: { answers: [exec('tail -f /dev/null', { yield_time_ms: 30_000 })] },
    moves: [HELLO, ONCE, { pauseMs: 1_000 }],
  },
  {
    name: 'queued',
    expected: 'processing',
    moving: true,
    start: { answers: [{ kind: 'hang' }] },
    moves: [HELLO, ONCE, { send: 'And one more thing' }],
  },
  {
    name: 'retrying',
    expected: 'processing-retrying',
    moving: true,
    // Of a request that is sent again at once 0.166.0 says nothing; of a stream it opens again, it does.
    start: { answers: Array<Step>(9).fill(error(500, { message: 'Internal server error' })), provider: 'request_max_retries = 0' },
    moves: [HELLO, { requests: 4 }],
  },
  { name: 'finished', expected: 'ready', start: { answers: [text('Hello, team.')] }, moves: [HELLO, ONCE, { shows: 'Hello, team.' }] },
  { name: 'reply-like-errors', expected: 'ready', start: { answers: [text(TRAP)] }, moves: [HELLO, ONCE, { shows: 'Earlier the log' }] },
  {
    name: 'interrupted',
    expected: 'ready-interrupted',
    start: { answers: [{ kind: 'stall', text: 'I begin with the first part' }] },
    moves: [HELLO, { shows: 'I begin with' }, { pauseMs: 500 }, { keys: ['Escape'] }],
  },
  {
    name: 'permission',
    expected: 'awaiting_permission-Bash',
    start: {
      answers: [exec('touch made', { sandbox_permissions: 'require_escalated', justification: 'May I?' })],
      request: { skipPermissions: false },
    },
    moves: [HELLO, ONCE],
  },
  failure('error-500', 'error-api', error(500, { message: 'Internal server error' })),
  failure('error-401', 'error-auth', error(401, { message: 'Incorrect API key provided' })),
  failure('error-quota', 'error-billing', error(429, { type: 'insufficient_quota', code: 'insufficient_quota', message: 'no money' })),
  failure('error-overloaded', 'error-overloaded', { kind: 'failed', code: 'server_is_overloaded', message: 'busy' }),
  failure('error-context', 'error-context_full', { kind: 'failed', code: 'context_length_exceeded', message: 'no' }),
  failure(
    'limit',
    'waiting_limit-stays',
    error(429, { type: 'usage_limit_reached', plan_type: 'plus', message: 'The usage limit has been reached', resets_at: RESET_S }),
  ),
  { name: 'left', expected: 'exited-user', start: {}, moves: [{ send: '/quit' }, { end: 'by itself' }] },
  { name: 'killed', expected: 'exited-crash', start: {}, moves: [{ end: 'SIGKILL' }] },
];
