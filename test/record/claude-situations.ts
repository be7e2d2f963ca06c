import type { LaunchRequest } from '../../src/agents/launch.ts';
import type { Step } from '../claude/api-steps.ts';
import type { Situation } from './situation.ts';

/** How Claude Code is started for a situation, and what the API answers. */
export interface ClaudeStart {
  readonly answers?: readonly Step[];
  readonly request?: Partial<LaunchRequest>;
  readonly env?: Readonly<Record<string, string>>;
  readonly trusted?: readonly string[];
  readonly oauth?: boolean;
  /** Files in the project, by name. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface ClaudeSituation extends Situation {
  readonly start: ClaudeStart;
}

const HELLO = { send: 'Say hello to the team' };
const ONCE = { requests: 1 };
const NO_RETRIES = { CLAUDE_CODE_MAX_RETRIES: '0' };
const manual: Partial<LaunchRequest> = { skipPermissions: false, args: ['--permission-mode', 'manual'] };
const text = (said: string): Step => ({ kind: 'text', text: said });
const tool = (name: string, input: Readonly<Record<string, unknown>>): Step => ({ kind: 'tool', name, input });
const error = (status: number, type: string, message: string, headers: Readonly<Record<string, string>> = {}): Step => ({
  kind: 'error',
  status,
  type,
  message,
  headers,
});

/** A turn that fails at once; two answers, as some failures are tried again whatever the setting. */
const failure = (name: string, expected: string, step: Step): ClaudeSituation => ({
  name,
  expected,
  start: { answers: [step, step, step], env: NO_RETRIES },
  moves: [HELLO, ONCE],
});

/** A tool that needs permission. */
const permission = (name: string, expected: string, step: Step, files: Readonly<Record<string, string>> = {}): ClaudeSituation => ({
  name,
  expected,
  start: { answers: [step], request: manual, files },
  moves: [HELLO, ONCE],
});

const asks = (name: string, expected: string, questions: readonly unknown[]): ClaudeSituation => ({
  name,
  expected,
  start: { answers: [tool('AskUserQuestion', { questions })] },
  moves: [HELLO, ONCE],
});
const choices = (...labels: readonly string[]) => labels.map((label) => ({ label, description: `Take ${label}` }));

const CLAIM = 'anthropic-ratelimit-unified';
/** Far enough away for a time of day with its date. */
const RESET = String(Date.UTC(2030, 0, 15, 18, 0) / 1_000);
const LIMIT_HEADERS = {
  [`${CLAIM}-status`]: 'rejected',
  [`${CLAIM}-reset`]: RESET,
  [`${CLAIM}-representative-claim`]: 'five_hour',
  [`${CLAIM}-5h-status`]: 'rejected',
  [`${CLAIM}-5h-reset`]: RESET,
  'retry-after': '5400',
};

/** Replies that look like something else. */
const TRAP = [
  'Earlier the log said:',
  'API Error: 529 Overloaded. This is a server-side issue',
  'Do you want to proceed? 1. Yes 2. No, esc to interrupt',
].join('\n\n');

export const CLAUDE_SITUATIONS: readonly ClaudeSituation[] = [
  { name: 'ready', expected: 'ready', start: {}, moves: [] },
  { name: 'typed', expected: 'ready', box: 'draft', start: {}, moves: [{ type: 'A draft that nobody has sent' }] },
  { name: 'pasted', expected: 'ready', box: 'folded', start: {}, moves: [{ type: 'line\n'.repeat(40) }] },
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
    // 2.1.325 refuses a long sleep in the foreground.
    start: { answers: [tool('Bash', { command: 'tail -f /dev/null', description: 'Wait for ever' })] },
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
    start: { answers: Array<Step>(9).fill(error(529, 'overloaded_error', 'Overloaded')) },
    // The fourth pause is some five seconds long.
    moves: [HELLO, { requests: 4 }],
  },
  {
    name: 'background',
    expected: 'processing-background',
    start: { answers: [tool('Bash', { command: 'sleep 61', description: 'Wait', run_in_background: true }), text('It runs.')] },
    moves: [HELLO, { requests: 2 }, { shows: 'It runs.' }],
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
    ...permission('permission-bash', 'awaiting_permission-Bash', tool('Bash', { command: 'touch made', description: 'Make a file' })),
    // The mark of the tool that waits blinks.
    moving: true,
    moves: [HELLO, ONCE, { shows: 'touch made' }, { pauseMs: 1_000 }],
  },
  permission('permission-write', 'awaiting_permission-Write', tool('Write', { file_path: 'new.txt', content: 'one\ntwo\n' })),
  permission(
    'permission-webfetch',
    'awaiting_permission-WebFetch',
    tool('WebFetch', { url: 'https://example.org', prompt: 'What is it?' }),
  ),
  {
    name: 'plan',
    expected: 'awaiting_permission-ExitPlanMode',
    start: {
      answers: [tool('ExitPlanMode', { plan: 'First this, then that.' })],
      request: { ...manual, args: ['--permission-mode', 'plan'] },
    },
    moves: [HELLO, ONCE],
  },
  asks('question', 'awaiting_question-multiple_choice', [
    { question: 'Which database?', header: 'Database', multiSelect: false, options: choices('PostgreSQL', 'SQLite', 'MySQL') },
  ]),
  asks('question-several', 'awaiting_question-multiple_choice', [
    { question: 'Which parts?', header: 'Parts', multiSelect: true, options: choices('Login', 'Search', 'Export') },
    { question: 'Where to?', header: 'Target', multiSelect: false, options: choices('Staging', 'Production') },
  ]),
  asks('question-yes-no', 'awaiting_question-yes_no', [
    { question: 'Shall I go on?', header: 'Go on', multiSelect: false, options: choices('Yes', 'No') },
  ]),
  { name: 'trust', expected: 'awaiting_question-startup', start: { trusted: [] }, moves: [], dialogFirst: true },
  {
    name: 'mcp-server',
    expected: 'awaiting_question-startup',
    moves: [],
    dialogFirst: true,
    start: { files: { '.mcp.json': '{"mcpServers":{"local":{"command":"true"}}}' } },
  },
  failure('error-429', 'error-rate_limit', error(429, 'rate_limit_error', 'This request would exceed a limit.')),
  failure('error-529', 'error-overloaded', error(529, 'overloaded_error', 'Overloaded')),
  failure('error-500', 'error-api', error(500, 'api_error', 'Internal server error')),
  failure('error-401', 'error-auth', error(401, 'authentication_error', 'invalid x-api-key')),
  failure('error-403', 'error-auth', error(403, 'permission_error', 'Not allowed.')),
  failure(
    'error-credit',
    'error-billing',
    error(400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
  ),
  failure(
    'error-too-long',
    'error-context_full',
    error(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
  ),
  failure('error-cut', 'error-network', { kind: 'reset' }),
  {
    name: 'limit-dialog',
    expected: 'waiting_limit-stays',
    start: { oauth: true, answers: [error(429, 'rate_limit_error', 'Too much.', LIMIT_HEADERS)] },
    moves: [HELLO, ONCE],
  },
  { name: 'left', expected: 'exited-user', start: {}, moves: [{ send: '/exit' }, { end: 'by itself' }] },
  { name: 'killed', expected: 'exited-crash', start: {}, moves: [{ end: 'SIGKILL' }] },
];
