import { createServer as createHttpServer, request } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';

/** `host` stands for its port 443, `host:port` for that one, `*.host` for every name below it. */
export function isAllowed(hosts: readonly string[], host: string, port: number): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return hosts.some((entry) => {
    const [, pattern = '', its] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (Number(its ?? 443) !== port) return false;
    return pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) && name.length > pattern.length - 1 : name === pattern;
  });
}

export const isLoopback = (host: string): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+)(?::|$)/.test(host);

const IDLE_MS = 600_000;

/** Lets requests that arrive on a socket out to the allowed hosts, by name, and refuses the others. */
export async function listenOutside(socket: string, hosts: readonly string[]): Promise<Disposable> {
  const server = createHttpServer((incoming, outgoing) => {
    const url = URL.parse(incoming.url ?? '');
    const port = Number(url?.port || 80);
    if (url === null || url.protocol !== 'http:' || !isAllowed(hosts, url.hostname, port)) {
      outgoing.writeHead(403, { 'content-type': 'text/plain' }).end(refusal(url?.host ?? incoming.url ?? ''));
      return;
    }
    const { 'proxy-connection': _, ...headers } = incoming.headers;
    const onwards = request(url, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onwards.on('error', (error) => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end(`${error.message}\n`)));
    outgoing.on('close', () => onwards.destroy());
    incoming.pipe(onwards);
  });
  server.on('connect', (incoming, from: Socket, head: Buffer) => {
    const [, host = '', port = ''] = /^\[?([^\]]*)\]?:(\d+)$/.exec(incoming.url ?? '') ?? [];
    if (!isAllowed(hosts, host, Number(port))) {
      from.end(`HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\n\r\n${refusal(incoming.url ?? '')}`);
      return;
    }
    const to = connect({ host, port: Number(port) }, () => {
      from.write('HTTP/1.1 200 Connection established\r\n\r\n');
      to.write(head);
      join(from, to);
    });
    to.on('error', () => from.destroy());
    from.on('error', () => to.destroy());
  });
  await new Promise<void>((done, failed) => server.once('error', failed).listen(socket, done));
  return {
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const refusal = (what: string): string => `llmc: the sandbox of this worker does not let it reach ${what}: [sandbox] hosts\n`;

/** Listens on a port of loopback and leads every connection to the socket. Returns the port. */
export async function listenInside(socket: string): Promise<number> {
  const server = createServer((from) => {
    const to = connect(socket);
    join(from, to);
  });
  await new Promise<void>((done, failed) => server.once('error', failed).listen(0, '127.0.0.1', done));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function join(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
    from.setTimeout(IDLE_MS, () => from.destroy());
  }
}
