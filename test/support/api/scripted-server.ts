import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { sendJson } from './answer.ts';

/** The part of one API that an agent CLI needs: how to read its requests, and how a step of the script answers them. */
export interface Dialect<Body, Step> {
  /** The kind of request at this path; an `answer` is sent at once and not recorded. */
  read(path: string, text: string): { readonly body: Body; readonly main: boolean } | { readonly status: number; readonly answer: unknown };
  /** The answer to a main request when the script is over. */
  readonly lastStep: Step;
  /** The answer to a request outside the conversation, such as one for its title. */
  readonly sideStep: Step;
  answer(step: Step, body: Body, response: ServerResponse): Promise<void>;
}

export interface Recorded<Body> {
  /** The first part of the path, which names the agent under test. */
  readonly worker: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Body;
  /** Whether it carries the conversation itself, not a title or a quota probe. */
  readonly main: boolean;
}

/** An API on loopback whose answers the test decides. One server serves many agents, with a queue each. */
export class ScriptedServer<Body, Step> implements AsyncDisposable {
  readonly #dialect: Dialect<Body, Step>;
  readonly #server: Server;
  readonly #steps = new Map<string, Step[]>();
  readonly #recorded: Recorded<Body>[] = [];

  constructor(dialect: Dialect<Body, Step>) {
    this.#dialect = dialect;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
    });
  }

  async listen(): Promise<this> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once('error', reject);
    this.#server.listen(0, '127.0.0.1', resolve);
    await promise;
    return this;
  }

  /** The base URL of the API for this worker. */
  urlFor(worker: string): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the scripted API is not listening');
    return `http://127.0.0.1:${address.port}/${worker}`;
  }

  /** Answers the worker's next main requests, in this order. With none left it answers "OK.". */
  script(worker: string, ...steps: readonly Step[]): void {
    this.#steps.set(worker, [...(this.#steps.get(worker) ?? []), ...steps]);
  }

  requests(worker: string): readonly Recorded<Body>[] {
    return this.#recorded.filter((one) => one.worker === worker && one.main);
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
    const asked = this.#dialect.read(`/${rest.join('/')}`, await readBody(request));
    if ('answer' in asked) return sendJson(response, asked.status, asked.answer);
    const { body, main } = asked;
    this.#recorded.push({ worker, headers: request.headers, body, main });
    const next = main ? (this.#steps.get(worker)?.shift() ?? this.#dialect.lastStep) : this.#dialect.sideStep;
    await this.#dialect.answer(next, body, response);
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
