import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';

const part = z.object({ type: z.string(), text: z.string().optional() });
const chatRequest = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(part)]).nullish() })),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).optional(),
});
type ChatRequest = z.output<typeof chatRequest>;

type Reply = { readonly text: string } | { readonly bash: string };

/** The chat completions API as far as a CLI needs it, on loopback, with every answer decided by the test. With none left it says "OK.". */
export class ScriptedChat implements AsyncDisposable {
  readonly #server: Server;
  readonly #replies: Reply[] = [];
  readonly #requests: ChatRequest[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<ScriptedChat> {
    const server = createServer();
    const api = new ScriptedChat(server);
    server.on('request', (request, response) => {
      api.#serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
    await promise;
    return api;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the scripted API is not listening');
    return `http://127.0.0.1:${address.port}/v1`;
  }

  script(...replies: readonly Reply[]): void {
    this.#replies.push(...replies);
  }

  /** The prompts it was given, in order; a request that only brings the result of a tool has none. */
  received(): readonly string[] {
    return this.#requests.flatMap(({ messages }) => {
      const last = messages.at(-1);
      // OpenCode 1.18 puts a blank behind what is pasted.
      return last?.role === 'user' ? [textOf(last.content).trimEnd()] : [];
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    await promise;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url !== '/v1/chat/completions') {
      response.writeHead(404).end('{}');
      return;
    }
    const body = chatRequest.parse(JSON.parse(await readBody(request)));
    // The search for a title comes without tools, beside the conversation.
    const main = (body.tools ?? []).length > 0;
    if (main) this.#requests.push(body);
    const reply: Reply = (main ? this.#replies.shift() : undefined) ?? { text: 'OK.' };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of chunksOf(reply)) response.write(`data: ${JSON.stringify({ ...envelope(body.model), choices: [chunk] })}\n\n`);
    response.end('data: [DONE]\n\n');
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

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
