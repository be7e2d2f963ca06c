import type { AgentErrorType } from '../../agents/activity.ts';
import type { ErrorCode } from '../../base/error-codes.ts';
import { type Attention, needsTerminal } from '../../store/attention.ts';
import type { Worker } from '../../store/state.ts';
import type { Outcome } from '../../store/tables/tasks.ts';
import { attentionText } from '../status/attention-text.ts';
import type { WorkerEvent } from '../status/transitions.ts';
import { openTask } from './owner.ts';

interface Moved {
  readonly why: string;
  readonly fields: Partial<Worker>;
}

/** What a move of a run's worker means for its task; undefined if nothing. `worker`: before the move. */
export function judgeTaskOutcome(worker: Worker, event: WorkerEvent, { why, fields }: Moved): Outcome | undefined {
  if (openTask(worker) === undefined) return undefined;
  const attention = fields.attention ?? null;
  switch (event) {
    case 'finished':
      return { kind: 'finished', commit: fields.commit_sha ?? null, message: fields.summary ?? null };
    case 'stopped':
      return whyStopped(worker, attention, why);
    case 'failed':
      return whyFailed(worker, attention, why);
    case 'continued':
      return { kind: 'answered' };
    case 'reset':
      return { kind: 'lost', why };
    case 'went_offline':
      return { kind: 'parked', until_ms: null };
    case 'came_back':
      return { kind: 'unparked' };
    default:
      return undefined;
  }
}

function whyStopped({ name, summary }: Worker, attention: Attention | null, why: string): Outcome {
  if (attention === null) return { kind: 'stopped', why, message: summary };
  switch (attention.kind) {
    case 'question':
    case 'permission':
      return { kind: 'asked', question: attention.question, choices: attention.choices, ...inTerminal(attention) };
    case 'turn_failed':
      return failed(CODES[attention.error], attention.error, attention.message);
    case 'no_commit':
    case 'commit_unchanged':
    case 'off_branch':
      return { kind: 'stopped', why, message: summary };
    default:
      return { kind: 'asked', question: attentionText(name, attention), choices: [], ...inTerminal(attention) };
  }
}

const inTerminal = (attention: Attention) => (needsTerminal(attention) ? ({ terminal: true } as const) : {});

function whyFailed({ name }: Worker, attention: Attention | null, why: string): Outcome {
  switch (attention?.kind) {
    case 'crashed':
    case 'not_found':
    case 'cannot_start':
      return { kind: 'crashed', how: attention.kind, why, screen: attention.screen ?? null };
    case 'turn_failed':
      return failed(CODES[attention.error], attention.error, attention.message);
    // The same request would fail again.
    case 'agent_blocked':
      return failed('AGENT_UNUSABLE', attention.error, attention.message);
    case 'delivery_failed':
      return failed('DELIVERY_FAILED', null, attentionText(name, attention));
    default:
      return failed('AGENT_UNUSABLE', null, why);
  }
}

const failed = (code: ErrorCode, error: AgentErrorType | null, message: string): Outcome => ({ kind: 'failed', code, error, message });

/** Under which code a run handles an error that its agent reported. */
const CODES: Readonly<Record<AgentErrorType, ErrorCode>> = {
  rate_limit: 'RATE_LIMITED',
  overloaded: 'CLAUDE_API_ERROR',
  network: 'NETWORK_ERROR',
  auth: 'AGENT_UNUSABLE',
  billing: 'AGENT_UNUSABLE',
  invalid_request: 'CLAUDE_API_ERROR',
  context_full: 'AGENT_UNUSABLE',
  tool: 'CLAUDE_API_ERROR',
  api: 'CLAUDE_API_ERROR',
  unknown: 'CLAUDE_API_ERROR',
};
