import type { Content, Reply, Timing, Trouble } from '../support/api/answer.ts';

/** One answer of the scripted API. */
export type Step =
  | ({ readonly kind: 'text'; readonly text: string } & Timing)
  /** A tool with JSON arguments, such as `exec_command`. */
  | ({ readonly kind: 'tool'; readonly name: string; readonly input: Readonly<Record<string, unknown>> } & Timing)
  /** A tool that takes plain text, such as `apply_patch`. */
  | ({ readonly kind: 'freeform'; readonly name: string; readonly input: string } & Timing)
  | ({ readonly kind: 'error'; readonly status: number; readonly error: Readonly<Record<string, unknown>> } & Timing)
  /** The stream begins and then reports that the response has failed. */
  | ({ readonly kind: 'failed'; readonly code: string; readonly message: string } & Timing)
  | Trouble;

type Streamed = Exclude<Step, { kind: 'error' | 'hang' | 'reset' }>;
type Wire = { readonly type: string } & Readonly<Record<string, unknown>>;

const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 120,
};

let counter = 0;

export function contentOf(step: Step): Content | undefined {
  if (step.kind === 'hang' || step.kind === 'reset') return undefined;
  return step.kind === 'error' ? { status: step.status, json: { error: step.error } } : replyEvents(step);
}

function replyEvents(step: Streamed): Reply {
  counter += 1;
  const id = `resp_${counter}`;
  const created: Wire = { type: 'response.created', response: { id } };
  if (step.kind === 'failed') {
    const { code, message } = step;
    return { opening: [created], closing: [{ type: 'response.failed', response: { id, error: { code, message } } }] };
  }
  const item = outputItem(step);
  const done: Wire = { type: 'response.output_item.done', output_index: 0, item };
  const completed: Wire = { type: 'response.completed', response: { id, usage: USAGE } };
  if (item.type !== 'message') return { opening: [created], closing: [done, completed] };
  return {
    opening: [
      created,
      { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
      { type: 'response.output_text.delta', item_id: item['id'], output_index: 0, content_index: 0, delta: textOf(step) },
    ],
    closing: [done, completed],
  };
}

function outputItem(step: Exclude<Streamed, { kind: 'failed' }>): Wire {
  const call_id = `call_${counter}`;
  switch (step.kind) {
    case 'tool':
      return { type: 'function_call', id: `fc_${counter}`, call_id, name: step.name, arguments: JSON.stringify(step.input) };
    case 'freeform':
      return { type: 'custom_tool_call', id: `ctc_${counter}`, call_id, name: step.name, input: step.input, status: 'completed' };
    default:
      return { type: 'message', id: `msg_${counter}`, role: 'assistant', content: [{ type: 'output_text', text: textOf(step) }] };
  }
}

function textOf(step: Streamed): string {
  return 'text' in step ? step.text : '';
}

/** The usage limit of a subscription, which ends at `resetsAt` (seconds); `exact`: the headers name it too, as in the real service. */
export function usageLimit(resetsAt: number, exact = false): Step {
  const headers = {
    'x-codex-primary-used-percent': '100',
    'x-codex-primary-window-minutes': '300',
    'x-codex-primary-reset-at': String(resetsAt),
  };
  const error = { type: 'usage_limit_reached', message: 'The usage limit has been reached', plan_type: 'plus', resets_at: resetsAt };
  return { kind: 'error', status: 429, error, ...(exact && { headers }) };
}

/** The conversation no longer fits: Codex compacts it before the next prompt. */
export const CONTEXT_FULL: Step = { kind: 'failed', code: 'context_length_exceeded', message: 'Your input exceeds the context window.' };
