import type { MessagesRequest } from './api-request.ts';

interface Timing {
  /** Nothing is answered before this settles. */
  readonly after?: Promise<void>;
  /** The stream is opened, but not closed before this settles. */
  readonly finish?: Promise<void>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One answer of the scripted API. */
export type Step =
  | ({ readonly kind: 'text'; readonly text: string; readonly inputTokens?: number } & Timing)
  | ({ readonly kind: 'tool'; readonly name: string; readonly input: Readonly<Record<string, unknown>>; readonly text?: string } & Timing)
  | ({ readonly kind: 'error'; readonly status: number; readonly type: string; readonly message: string } & Timing)
  /** The stream begins well and then carries an error event. */
  | ({ readonly kind: 'stream-error'; readonly type: string; readonly message: string; readonly text: string } & Timing)
  /** The stream begins and never goes on. */
  | ({ readonly kind: 'stall'; readonly text: string } & Timing)
  /** The stream begins and the connection breaks. */
  | ({ readonly kind: 'cut'; readonly text: string } & Timing)
  /** The connection is taken and nothing is ever answered. */
  | { readonly kind: 'hang' }
  | { readonly kind: 'reset' };

type Streamed = Extract<Step, { kind: 'text' | 'tool' | 'stream-error' | 'stall' | 'cut' }>;
type Wire = { readonly type: string } & Readonly<Record<string, unknown>>;

let counter = 0;

/** The same answer as one JSON message and as the two halves of an event stream. */
export function replyEvents(step: Streamed, model: string): { message: unknown; opening: readonly Wire[]; closing: readonly Wire[] } {
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

export function eventStream(events: readonly Wire[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

export function errorBody(type: string, message: string): unknown {
  return { type: 'error', error: { type, message } };
}

/** Titles and other side requests are answered with something short and harmless. */
export function sideReply(_request: MessagesRequest): Step {
  return { kind: 'text', text: '{"title":"Scripted session"}' };
}
