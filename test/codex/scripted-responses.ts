import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isTitleRequest, newPrompt, parseRequest, type ResponsesRequest } from './responses-request.ts';
import { eventStream, replyEvents, type Step } from './responses-steps.ts';

export interface Recorded {
  /** The first part of the path, by which each agent under test is told apart. */
  readonly worker: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: ResponsesRequest;
  /** Carries the conversation itself, not the search for its title. */
  readonly main: boolean;
}

/**
 * The Responses API as far as Codex needs it, on loopback, with every answer decided by the test.
 * A provider's `base_url` is `api.urlFor(worker)`, so one server serves many agents with a queue each.
 */
export class ScriptedResponses implements AsyncDisposable {
  readonly #server: Server;
  readonly #steps = new Map<string, Step[]>();
  readonly #recorded: Recorded[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<ScriptedResponses> {
    const server = createServer();
    const api = new ScriptedResponses(server);
    server.on('request', (request, response) => {
      api.#serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
    await promise;
    return api;
  }

  urlFor(worker: string): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the scripted API is not listening');
    return `http://127.0.0.1:${address.port}/${worker}/v1`;
  }

  /** Answers the worker's next main requests, in this order. With none left it answers "OK.". */
  script(worker: string, ...steps: readonly Step[]): void {
    this.#steps.set(worker, [...(this.#steps.get(worker) ?? []), ...steps]);
  }

  requests(worker: string): readonly Recorded[] {
    return this.#recorded.filter((one) => one.worker === worker && one.main);
  }

  /** The prompts the API was given, in order; a request that only brings the result of a tool has none. */
  received(worker: string): readonly string[] {
    return this.requests(worker).flatMap(({ body }) => newPrompt(body) ?? []);
  }

  unused(worker: string): number {
    return this.#steps.get(worker)?.length ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    await promise;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const [, worker = '', ...rest] = pathname.split('/');
    if (rest.join('/') !== 'v1/responses') return sendJson(response, 404, { error: { message: `nothing at ${pathname}` } });
    const body = parseRequest(await readBody(request));
    const main = !isTitleRequest(body);
    this.#recorded.push({ worker, headers: request.headers, body, main });
    const title: Step = { kind: 'text', text: 'Scripted title' };
    await answer(main ? (this.#steps.get(worker)?.shift() ?? { kind: 'text', text: 'OK.' }) : title, response);
  }
}

async function answer(step: Step, response: ServerResponse): Promise<void> {
  if (step.kind === 'hang') return;
  await step.after;
  for (const [name, value] of Object.entries(step.headers ?? {})) response.setHeader(name, value);
  if (step.kind === 'error') return sendJson(response, step.status, { error: step.error });
  const { opening, closing } = replyEvents(step);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.write(eventStream(opening));
  if (step.kind === 'stall') return;
  if (step.kind === 'cut') {
    response.socket?.resetAndDestroy();
    return;
  }
  await step.finish;
  response.end(eventStream(closing));
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
