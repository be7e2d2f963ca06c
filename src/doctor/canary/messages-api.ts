import * as z from 'zod';
import { type DemoApi, eventStream, json, parseBody, SAYS } from './demo-api.ts';

const block = z.looseObject({ type: z.string(), text: z.string().optional() });
const requestSchema = z
  .object({
    model: z.string().catch('demo'),
    stream: z.boolean().catch(false),
    tools: z.array(z.unknown()).catch([]),
    messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(block)]) })).catch([]),
  })
  .catch({ model: 'demo', stream: false, tools: [], messages: [] });

/** Anthropic's Messages API, as far as Claude Code needs it for one turn. */
export const messagesApi: DemoApi = ({ path, body }) => {
  if (path === '/v1/messages/count_tokens') return { answer: json(200, { input_tokens: 1 }) };
  if (path !== '/v1/messages') return { answer: json(404, { type: 'error', error: { type: 'not_found_error', message: path } }) };
  const request = requestSchema.parse(parseBody(body));
  const answer = request.stream ? eventStream(events(request.model)) : json(200, message(request.model));
  // Titles and other side requests of Claude Code 2.1.325 carry no tools.
  return request.tools.length === 0 ? { answer } : { prompt: lastText(request.messages), answer };
};

function lastText(messages: z.infer<typeof requestSchema>['messages']): string {
  const content = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  return typeof content === 'string' ? content : (content.findLast(({ type }) => type === 'text')?.text ?? '');
}

const usage = { input_tokens: 1, output_tokens: 1 };
const base = (model: string) => ({ id: 'msg_demo', type: 'message', role: 'assistant', model, stop_sequence: null });
const message = (model: string) => ({ ...base(model), content: [{ type: 'text', text: SAYS }], stop_reason: 'end_turn', usage });

function events(model: string) {
  return [
    { type: 'message_start', message: { ...base(model), content: [], stop_reason: null, usage } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: SAYS } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ];
}
