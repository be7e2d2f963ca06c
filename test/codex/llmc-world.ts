import { appendFileSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AgentWorld } from '../support/agent-world.ts';
import { installedCodex } from './install.ts';
import { IsolatedCodex } from './isolated.ts';
import type { Step } from './responses-steps.ts';
import { ScriptedResponses } from './scripted-responses.ts';

/** Undefined, with a loud word, on a developer's machine that cannot install it. */
export const program = await installedCodex();

export interface CodexWorldOptions {
  readonly workers: readonly string[];
  readonly channel?: 'auto' | 'typing';
  /** Arguments of every worker's Codex. */
  readonly args?: readonly string[];
  /** Off: it asks before what its sandbox forbids. */
  readonly skipPermissions?: boolean;
  /** Put at the end of config.toml. */
  readonly config?: string;
  /** Dies at this place when it gets there. */
  readonly fault?: string;
  readonly stage?: 'root' | 'up';
}

/** llmc and the real Codex in a home of their own: every worker talks to its own part of one scripted API on loopback. */
export class CodexWorld extends AgentWorld {
  readonly api: ScriptedResponses;
  readonly isolated: IsolatedCodex;
  readonly #forget = () => {
    for (const folder of [this.dir, this.isolated.folder]) rmSync(folder, { recursive: true, force: true });
  };

  constructor(api: ScriptedResponses, isolated: IsolatedCodex) {
    super('source');
    this.api = api;
    this.isolated = isolated;
    // Nor does a run that is cut short leave folders behind.
    process.once('exit', this.#forget);
  }

  override get env(): Record<string, string> {
    return { ...this.isolated.env, ...super.env };
  }

  script(worker: string, ...steps: readonly Step[]): void {
    this.api.script(worker, ...steps);
  }

  received(worker: string): readonly string[] {
    return this.api.received(worker);
  }

  /** Until the record of some conversation holds this: Codex writes it beside its work, and killed before that it could not know of it later. */
  async onRecord(text: string): Promise<void> {
    const files = join(this.isolated.codexHome, 'sessions', '**', '*.jsonl');
    await this.until(`"${text}" to be on record`, () => globSync(files).some((file) => readFileSync(file, 'utf8').includes(text)));
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    process.off('exit', this.#forget);
    await using _home = this.isolated;
    await using _api = this.api;
    await super[Symbol.asyncDispose]();
  }
}

/** `await using world = await codexWorld({ workers: ['adam'] })` */
export async function codexWorld(options: CodexWorldOptions): Promise<CodexWorld> {
  const api = await ScriptedResponses.start();
  const isolated = await IsolatedCodex.create({ baseUrl: api.urlFor('nobody') });
  const world = new CodexWorld(api, isolated);
  try {
    mkdirSync(world.source);
    world.write('README.md', 'hello\n');
    await world.git('init', '--quiet', '--initial-branch=main');
    await world.git('add', '--all');
    await world.git('commit', '--quiet', '-m', 'Begin');
    await world.ok('init', '--source', world.source, '--agent', 'codex');
    configure(world, options);
    for (const name of options.workers) await world.ok('add', name, '--agent', `codex-${name}`);
    if (options.stage !== 'root') await world.up(options.fault);
    return world;
  } catch (error) {
    await world[Symbol.asyncDispose]();
    throw error;
  }
}

/** An agent per worker, because its arguments name the API it talks to. */
function configure(world: CodexWorld, options: CodexWorldOptions): void {
  const { workers, channel = 'auto', args = [], config = '', skipPermissions = true } = options;
  if (!skipPermissions) world.set('defaults', 'skip_permissions = false');
  const own = (name: string) => [...args, '-c', `model_providers.scripted.base_url=${JSON.stringify(world.api.urlFor(name))}`];
  const lines = [
    ...['[agents.codex]', `command = ${JSON.stringify(program)}`, `channel = "${channel}"`, ''],
    ...workers.flatMap((name) => [`[agents.codex-${name}]`, 'extends = "codex"', `args = ${JSON.stringify(own(name))}`, '']),
  ];
  appendFileSync(join(world.root, 'config.toml'), `\n${lines.join('\n')}\n${config}\n`);
}
