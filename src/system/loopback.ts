import type { IncomingMessage, ServerResponse } from 'node:http';

export interface LoopbackRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

export interface LoopbackAnswer {
  readonly status: number;
  readonly type: 'application/json' | 'text/event-stream';
  readonly body: string;
}

export interface Loopback extends AsyncDisposable {
  readonly url: string;
}

/** Far above the size of any request in a canary. */
const LARGEST_BODY = 16 * 1024 * 1024;

/** A small HTTP server on loopback, on a free port. It does not keep the process alive. */
export async function serveLoopback(answer: (request: LoopbackRequest) => Promise<LoopbackAnswer>): Promise<Loopback> {
  // Node 24 loads its whole HTTP client with this module, for 50 ms of processor time: every supervisor, and few of them run a canary.
  const { createServer } = await import('node:http');
  const server = createServer((request, response) => {
    serve(request, response, answer).catch(() => response.destroy());
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  server.unref();
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the loopback server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (request: LoopbackRequest) => Promise<LoopbackAnswer>,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const { status, type, body } = await answer({ method: request.method ?? 'GET', path: pathname, body: await readBody(request) });
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-cache' });
  response.end(body);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const part = Buffer.from(chunk);
    size += part.length;
    if (size > LARGEST_BODY) throw new Error('the request is too large');
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8');
}
