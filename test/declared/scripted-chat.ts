import { z } from 'zod';
import { type Dialect, ScriptedServer } from '../support/api/scripted-server.ts';

const part = z.object({ type: z.string(), text: z.string().optional() });
const chatRequest = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(part)]).nullish() })),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).optional(),
});
type ChatRequest = z.output<typeof chatRequest>;

type Reply = { readonly text: string } | { readonly bash: string };

const CHAT: Dialect<ChatRequest, Reply> = {
  read(path, text) {
    if (path !== '/v1/chat/completions') return { status: 404, answer: {} };
    const body = chatRequest.parse(JSON.parse(text));
    // The request for a title has no tools and is not part of the conversation.
    return { body, main: (body.tools ?? []).length > 0 };
  },
  lastStep: { text: 'OK.' },
  sideStep: { text: 'OK.' },
  async answer(reply, { model }, response) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of chunksOf(reply)) response.write(`data: ${JSON.stringify({ ...envelope(model), choices: [chunk] })}\n\n`);
    response.end('data: [DONE]\n\n');
  },
};

/** The part of the chat completions API that a CLI needs. A provider's base URL is `api.urlFor(worker)`. */
export class ScriptedChat extends ScriptedServer<ChatRequest, Reply> {
  static start(): Promise<ScriptedChat> {
    return new ScriptedChat(CHAT).listen();
  }

  override urlFor(worker: string): string {
    return `${super.urlFor(worker)}/v1`;
  }

  /** The prompts that the API received, in order; a request with only the result of a tool has none. */
  received(worker: string): readonly string[] {
    return this.requests(worker).flatMap(({ body }) => {
      const last = body.messages.at(-1);
      // OpenCode 1.18 adds a blank after a paste.
      return last?.role === 'user' ? [textOf(last.content).trimEnd()] : [];
    });
  }
}

const envelope = (model: string) => ({ id: 'chat-1', object: 'chat.completion.chunk', created: 1, model });

function chunksOf(reply: Reply) {
  const chunk = (delta: object, finish: string | null) => ({ index: 0, delta, finish_reason: finish });
  if ('text' in reply) return [chunk({ role: 'assistant', content: reply.text }, null), chunk({}, 'stop')];
  const call = { name: 'bash', arguments: JSON.stringify({ command: reply.bash, description: 'as scripted' }) };
  const calls = [{ index: 0, id: 'call_1', type: 'function', function: call }];
  return [chunk({ role: 'assistant', tool_calls: calls }, null), chunk({}, 'tool_calls')];
}

function textOf(content: ChatRequest['messages'][number]['content']): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('');
}
