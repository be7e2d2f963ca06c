import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { commandLine } from '../src/base/shell-quote.ts';
import { program, type World } from './world.ts';

interface Chunk {
  readonly at: number;
  readonly text: string;
}

/** `llmc` with these arguments on a terminal of its own (util-linux `script`), and what it writes there, with the time. */
export function onTerminal(world: Pick<World, 'env' | 'root' | 'folder'>, ...args: readonly string[]) {
  const line = `stty cols 120 rows 40; exec ${commandLine(process.execPath, program, ...args, '--root', world.root)}`;
  const startedAt = performance.now();
  const child = spawn('script', ['-qfec', line, '/dev/null'], { env: { ...world.env, SHELL: '/bin/sh' }, cwd: world.folder });
  const chunks: Chunk[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const each of waiting) each();
  };
  child.stdout.on('data', (data: Buffer) => {
    chunks.push({ at: Date.now(), text: data.toString() });
    wake();
  });
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => {
      wake();
      resolve();
    });
  });
  /** The first chunk since a moment that contains one of these texts. */
  const seen = async (text: RegExp, since = 0): Promise<Chunk> => {
    for (;;) {
      const found = chunks.find((chunk) => chunk.at >= since && text.test(chunk.text));
      if (found !== undefined) return found;
      if (child.exitCode !== null) throw new Error(`llmc ended without ${text}:\n${chunks.map((chunk) => chunk.text).join('')}`);
      await new Promise<void>((resolve) => {
        waiting.add(resolve);
      }).finally(() => waiting.clear());
    }
  };
  return {
    startedAt,
    ended,
    seen,
    get pid(): number {
      return Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')[0]);
    },
    async [Symbol.asyncDispose]() {
      child.stdin.write('Q');
      child.stdin.end();
      const late = setTimeout(() => child.kill(), 5_000);
      await ended;
      clearTimeout(late);
    },
  };
}
