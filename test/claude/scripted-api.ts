import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isMainRequest, type MessagesRequest, parseRequest } from './api-request.ts';
import { errorBody, eventStream, replyEvents, type Step, sideReply } from './api-steps.ts';

export interface Recorded {
  /** The first part of the path, by which each agent under test is told apart. */
  readonly worker: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: MessagesRequest;
  /** Carries the conversation itself, not a title or a quota probe. */
  readonly main: boolean;
}

/**
 * The Messages API as far as Claude Code needs it, on loopback, with every answer decided by the test.
 * `ANTHROPIC_BASE_URL` is `api.urlFor(worker)`, so one server serves many agents with a queue each.
 */
export class ScriptedApi implements AsyncDisposable {
  readonly #server: Server;
  readonly #steps = new Map<string, Step[]>();
  readonly #recorded: Recorded[] = [];
  readonly #open = new Set<ServerResponse>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<ScriptedApi> {
    const server = createServer();
    const api = new ScriptedApi(server);
    server.on('request', (request, response) => {
      api.#serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
    await promise;
    return api;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the scripted API is not listening');
    return address.port;
  }

  urlFor(worker: string): string {
    return `http://127.0.0.1:${this.port}/${worker}`;
  }

  /** Answers the worker's next main requests, in this order. With none left it answers "OK.". */
  script(worker: string, ...steps: readonly Step[]): void {
    this.#steps.set(worker, [...(this.#steps.get(worker) ?? []), ...steps]);
  }

  requests(worker: string): readonly Recorded[] {
    return this.#recorded.filter((one) => one.worker === worker && one.main);
  }

  unused(worker: string): number {
    return this.#steps.get(worker)?.length ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const response of this.#open) response.destroy();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    await promise;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const [, worker = '', ...rest] = pathname.split('/');
    const path = `/${rest.join('/')}`;
    const body = parseRequest(await readBody(request));
    if (path === '/v1/messages/count_tokens') return sendJson(response, 200, { input_tokens: 1_000 });
    if (path !== '/v1/messages') return sendJson(response, 404, errorBody('not_found_error', `nothing at ${path}`));
    const main = isMainRequest(body);
    this.#recorded.push({ worker, path, headers: request.headers, body, main });
    const step: Step = main ? (this.#steps.get(worker)?.shift() ?? { kind: 'text', text: 'OK.' }) : sideReply(body);
    this.#open.add(response);
    response.once('close', () => this.#open.delete(response));
    await answer(step, body, response);
  }
}

async function answer(step: Step, body: MessagesRequest, response: ServerResponse): Promise<void> {
  if (step.kind === 'hang') return;
  if (step.kind === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  await step.after;
  if (step.kind === 'error') {
    for (const [name, value] of Object.entries(step.headers ?? {})) response.setHeader(name, value);
    return sendJson(response, step.status, errorBody(step.type, step.message));
  }
  const reply = replyEvents(step, body.model);
  if (!body.stream) return sendJson(response, 200, reply.message);
  for (const [name, value] of Object.entries(step.headers ?? {})) response.setHeader(name, value);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.write(eventStream(reply.opening));
  if (step.kind === 'stall') return;
  if (step.kind === 'cut') {
    response.socket?.resetAndDestroy();
    return;
  }
  if (step.kind === 'stream-error') {
    response.end(eventStream([{ type: 'error', error: { type: step.type, message: step.message } }]));
    return;
  }
  await step.finish;
  response.end(eventStream(reply.closing));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
