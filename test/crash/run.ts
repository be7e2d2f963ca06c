import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';

const LLMC = join(import.meta.dirname, '../../bin/llmc.cjs');

export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The JSON document on stdout, or the text itself. */
  readonly out: unknown;
  readonly stderr: string;
}

export function runLlmc(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const child = spawn(process.execPath, [LLMC, ...args, '--json'], { env, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
  return new Promise((resolve, reject) => {
    const [out, err] = [gather(child.stdout), gather(child.stderr)];
    child.once('error', reject);
    child.once('close', (status, by) => resolve({ status, signal: by, out: parsed(out()), stderr: err() }));
  });
}

function gather(stream: ChildProcess['stdout']): () => string {
  const parts: string[] = [];
  stream?.setEncoding('utf8').on('data', (part: string) => parts.push(part));
  return () => parts.join('');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function listens(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    connection.once('error', () => resolve(false));
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
  });
}
