import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';

/** A server on a unix socket that answers nothing. */
export async function listening(path: string): Promise<Disposable> {
  mkdirSync(dirname(path), { recursive: true });
  const server = createServer();
  await new Promise<void>((done) => server.listen(path, done));
  return { [Symbol.dispose]: () => void server.close() };
}
