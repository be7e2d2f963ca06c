import type { Content, Timing, Trouble } from '../support/api/answer.ts';
import type { MessagesRequest } from './api-request.ts';

/** One answer of the scripted API. */
export type Step =
  | ({ readonly kind: 'text'; readonly text: string; readonly inputTokens?: number } & Timing)
  | ({ readonly kind: 'tool'; readonly name: string; readonly input: Readonly<Record<string, unknown>>; readonly text?: string } & Timing)
  | ({ readonly kind: 'error'; readonly status: number; readonly type: string; readonly message: string } & Timing)
  /** The stream begins normally and then carries an error event. */
  | ({ readonly kind: 'stream-error'; readonly type: string; readonly message: string; readonly text: string } & Timing)
  | Trouble;

type Streamed = Extract<Step, { kind: 'text' | 'tool' | 'stream-error' | 'stall' | 'cut' }>;
type Wire = { readonly type: string } & Readonly<Record<string, unknown>>;

let counter = 0;

/** The answer of a step; a request without `stream` gets one JSON message. */
export function contentOf(step: Step, { model, stream }: MessagesRequest): Content | undefined {
  if (step.kind === 'hang' || step.kind === 'reset') return undefined;
  if (step.kind === 'error') return { status: step.status, json: errorBody(step.type, step.message) };
  const { message, opening, closing } = replyEvents(step, model);
  if (!stream) return { status: 200, json: message };
  if (step.kind !== 'stream-error') return { opening, closing };
  return { opening, closing: [{ type: 'error', error: { type: step.type, message: step.message } }] };
}

/** The same answer as one JSON message and as the two halves of an event stream. */
function replyEvents(step: Streamed, model: string): { message: unknown; opening: readonly Wire[]; closing: readonly Wire[] } {
  counter += 1;
  const text = step.text ?? '';
  const content: Wire[] = text === '' ? [] : [{ type: 'text', text }];
  if (step.kind === 'tool') content.push({ type: 'tool_use', id: `toolu_${counter}`, name: step.name, input: step.input });
  const stopReason = step.kind === 'tool' ? 'tool_use' : 'end_turn';
  const usage = { input_tokens: step.kind === 'text' ? (step.inputTokens ?? 100) : 100, output_tokens: 20 };
  const base = { id: `msg_${counter}`, type: 'message', role: 'assistant', model, stop_sequence: null };
  return {
    message: { ...base, content, stop_reason: stopReason, usage },
    opening: [
      { type: 'message_start', message: { ...base, content: [], stop_reason: null, usage } },
      ...content.slice(0, 1).flatMap(blockEvents),
    ],
    closing: [
      ...content.slice(1).flatMap((one, index) => blockEvents(one, index + 1)),
      { type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: usage.output_tokens } },
      { type: 'message_stop' },
    ],
  };
}

function blockEvents(block: Wire, index: number): readonly Wire[] {
  const isTool = block.type === 'tool_use';
  const start = isTool ? { ...block, input: {} } : { ...block, text: '' };
  const delta = isTool
    ? { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) }
    : { type: 'text_delta', text: block['text'] };
  return [
    { type: 'content_block_start', index, content_block: start },
    { type: 'content_block_delta', index, delta },
    { type: 'content_block_stop', index },
  ];
}

export function errorBody(type: string, message: string): unknown {
  return { type: 'error', error: { type, message } };
}
