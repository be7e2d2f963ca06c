import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { trySignal } from '../../src/system/processes/signal.ts';
import { processesNaming } from '../package/processes-with.ts';
import { until } from './scratch-tmux.ts';
import { llmcWorld, type World } from './world.ts';

export const doctorContract = z.object({
  healthy: z.boolean(),
  checks: z.array(
    z.object({ name: z.string(), level: z.string(), message: z.string(), hint: z.string().optional(), details: z.unknown().optional() }),
  ),
  canaries: z
    .array(
      z.object({
        agent: z.string(),
        adapter: z.string(),
        version: z.string().nullable(),
        outcome: z.enum(['passed', 'failed', 'not_run']),
        why: z.string().nullable(),
        way: z.enum(['keyboard', 'protocol']).nullable(),
        checks: z.array(
          z.object({
            name: z.string(),
            verdict: z.enum(['passed', 'failed', 'not_tried']),
            evidence: z.string(),
            took_ms: z.number(),
            means: z.string().nullable(),
          }),
        ),
      }),
    )
    .optional(),
});

/** A root whose canaries can be observed: their files are in this world's temporary folder. */
export class CanaryWorld implements AsyncDisposable {
  readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  /** The folders of canaries that are running, or were left behind. */
  folders(): string[] {
    return readdirSync(this.world.temporary).filter((name) => name.startsWith('llmc-canary-'));
  }

  /** The beginning of the folder name of every canary of this root. */
  get prefix(): string {
    return `llmc-canary-${createHash('sha256').update(this.world.root).digest('hex').slice(0, 8)}-`;
  }

  processes(): string[] {
    return processesNaming(join(this.world.temporary, 'llmc-canary-'));
  }

  async untilNothingIsLeft(): Promise<void> {
    await until('every trace of the canary to be gone', async () => this.folders().length === 0 && this.processes().length === 0);
  }

  /** Installs a fake Claude Code as the fallback: it prints this version, records each start, and runs the shell line. */
  fakeClaude(version: string, line: string): void {
    const program = join(this.world.dir, 'claude');
    const script = `#!/bin/sh\nif [ "$1" = --version ]; then echo "${version}"; exit; fi\nenv >>'${this.#starts}'\necho START >>'${this.#starts}'\n${line}\n`;
    writeFileSync(program, script, { mode: 0o755 });
    appendFileSync(
      join(this.world.root, 'config.toml'),
      `\n[agents.claude]\ncommand = ${JSON.stringify(program)}\n[agents.demo]\nfallback = "claude"\n`,
    );
  }

  /** Installs a fake Codex as the fallback, with this way of `fake-codex.ts` and these lines in its table. */
  fakeCodex(way: string, lines = ''): void {
    const program = join(this.world.dir, 'codex');
    const fake = [process.execPath, fileURLToPath(import.meta.resolve('./fake-codex.ts')), way].map((word) => `'${word}'`).join(' ');
    writeFileSync(program, `#!/bin/sh\nexec ${fake} "$@"\n`, { mode: 0o755 });
    appendFileSync(
      join(this.world.root, 'config.toml'),
      `\n[agents.codex]\ncommand = ${JSON.stringify(program)}\n${lines}\n[agents.demo]\nfallback = "codex"\n`,
    );
  }

  get #starts(): string {
    return join(this.world.dir, 'starts');
  }

  /** The number of starts of the fake, and its environment. */
  starts(): { readonly count: number; readonly env: string } {
    const text = existsSync(this.#starts) ? readFileSync(this.#starts, 'utf8') : '';
    return { count: text.split('\n').filter((line) => line === 'START').length, env: text };
  }

  async doctor(...args: string[]): Promise<z.infer<typeof doctorContract>> {
    return await this.world.json(doctorContract, 'doctor', ...args);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.world.run(['down', '--force']);
      await this.untilNothingIsLeft();
    } finally {
      for (const line of this.processes()) trySignal(Number.parseInt(line, 10), 'SIGKILL');
      await this.world[Symbol.asyncDispose]();
    }
  }
}

export async function canaryWorld(options: { readonly workers?: readonly string[] } = {}): Promise<CanaryWorld> {
  return new CanaryWorld(await llmcWorld({ ...options, stage: 'root' }));
}
