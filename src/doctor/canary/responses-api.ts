import * as z from 'zod';
import { type DemoApi, eventStream, json, parseBody, SAYS } from './demo-api.ts';

const part = z.looseObject({ type: z.string(), text: z.string().optional() });
const item = z.looseObject({ role: z.string().optional(), content: z.union([z.string(), z.array(part)]).optional() });
const requestSchema = z.object({ input: z.array(item).catch([]) }).catch({ input: [] });

/** Codex 0.166.0 sends this request in the background to name a conversation. */
const TITLE = /^Generate a concise, single-line task title/;

/** OpenAI's Responses API, as far as Codex needs it for one turn. */
export const responsesApi: DemoApi = ({ path, body }) => {
  if (!path.endsWith('/responses')) return { answer: json(404, { error: { message: `nothing at ${path}` } }) };
  const texts = requestSchema.parse(parseBody(body)).input.flatMap(listTexts);
  const answer = eventStream(EVENTS);
  return texts.some((text) => TITLE.test(text)) ? { answer } : { prompt: texts.at(-1) ?? '', answer };
};

function listTexts({ role, content }: z.infer<typeof item>): readonly string[] {
  if (role !== 'user' || content === undefined) return [];
  return typeof content === 'string' ? [content] : content.flatMap(({ text }) => text ?? []);
}

const MESSAGE = { id: 'msg_demo', type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: SAYS }] };
const USAGE = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
const EVENTS = [
  { type: 'response.created', response: { id: 'resp_demo' } },
  { type: 'response.output_item.added', output_index: 0, item: { ...MESSAGE, status: 'in_progress', content: [] } },
  { type: 'response.output_text.delta', item_id: MESSAGE.id, output_index: 0, content_index: 0, delta: SAYS },
  { type: 'response.output_item.done', output_index: 0, item: MESSAGE },
  { type: 'response.completed', response: { id: 'resp_demo', output: [MESSAGE], usage: USAGE } },
];
