import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { declaredTwin } from '../support/declared-twin.ts';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld, TYPED, type World } from '../support/world.ts';

const COMMAND = join(import.meta.dirname, '../../bin/llmc.cjs');

const stateSchema = z.object({ id: z.string(), state: z.string(), marks: z.array(z.string()), why: z.string().nullable() });
const viewSchema = z.object({
  status: z.string(),
  stages: z.array(
    stateSchema.extend({
      artifacts: z.array(z.string()),
      waiting_for: z.string().nullable(),
      items: z.array(stateSchema.extend({ stages: z.array(stateSchema.extend({ waiting_for: z.string().nullable() })) })).nullable(),
    }),
  ),
  questions: z.array(z.object({ number: z.int(), type: z.string(), stage: z.string().nullable(), options: z.array(z.string()) })),
  breakers: z.array(z.object({ state: z.string() })),
});
export type View = z.infer<typeof viewSchema>;

const reportSchema = z.object({
  errors: z.array(z.object({ code: z.string(), where: z.string() })),
  compensations: z.array(z.object({ stage: z.string(), archived: z.string() })),
});

/** Places for all runs of a file, short waits, and no breaker that the failures of one run open for the others. */
const config = (settings: string) => `[workflow]
${settings}max_agents = 16
recovery_cooldown_ms = 100
provider_failures = 100
retry_delay_ms = 100
[workflow.retry.agent_spawn]
delay_ms = 100
[workflow.retry.service]
delay_ms = 100
`;

/**
 * A root with a supervisor, whose agents behave as the scenarios of their runs say; `twin` is a second agent of the same kind. `settings`: more
 * lines of `[workflow]`.
 */
export async function pipelineWorld(settings = ''): Promise<World> {
  const world = await llmcWorld({ stage: 'root' });
  const args = ['--scenario', world.scenarios];
  const agents = `[agents.demo]\nargs = ${JSON.stringify(args)}\n${declaredTwin('twin', args)}`;
  appendFileSync(join(world.root, 'config.toml'), `\n${agents}${config(settings)}`);
  mkdirSync(join(world.root, 'workflows'), { recursive: true });
  await world.comeUp();
  return world;
}

/** A workflow of its own with one run, in a world that several of them share. */
export class Pipeline {
  readonly world: World;
  readonly run: string;
  readonly #name: string;

  private constructor(world: World, name: string, run: string) {
    this.world = world;
    this.#name = name;
    this.run = run;
  }

  /** `name`: at most ten letters, because workers are named after the run. `body`: everything below the name. */
  static define(world: World, name: string, body: string): Pipeline {
    writeFileSync(join(world.root, 'workflows', `${name}.yaml`), `name: ${name}\n${body}`);
    return new Pipeline(world, name, `${name}-1`);
  }

  /** A run that has begun. */
  static of(world: World, run: string): Pipeline {
    return new Pipeline(world, run.replace(/-\d+$/, ''), run);
  }

  /** What the agents of a role do in this run. */
  play(role: string, ...turns: readonly object[]): this {
    writeFileSync(join(this.world.scenarios, `${this.run}-${role}.yaml`), JSON.stringify({ turns }));
    return this;
  }

  async start(...inputs: readonly string[]): Promise<this> {
    await this.world.ok('run', this.#name, ...inputs.flatMap((input) => ['--input', input]), '--detach');
    return this;
  }

  /** Starts the run at a terminal, presses Ctrl+C once `isTime` holds, and returns the exit status of the command. */
  async interrupted(isTime: () => boolean, ...inputs: readonly string[]): Promise<unknown> {
    const args = [COMMAND, 'run', this.#name, ...inputs.flatMap((input) => ['--input', input])];
    const child = spawn(TYPED, [process.execPath, ...args], { cwd: this.world.dir, env: this.world.env, stdio: 'ignore', detached: true });
    const ended = once(child, 'exit');
    await until('the moment for Ctrl+C', async () => isTime(), 120_000);
    process.kill(-(child.pid ?? 0), 'SIGINT');
    const [status]: unknown[] = await ended;
    return status;
  }

  async show(): Promise<View> {
    return await this.world.json(viewSchema, 'show', this.run);
  }

  async report(): Promise<z.infer<typeof reportSchema>> {
    return await this.world.json(reportSchema, 'report', this.run);
  }

  /** Waits for the run to be in one of these states, and returns it. */
  async wait(states = 'done,failed,waiting'): Promise<View> {
    const { status, stdout, stderr } = await this.world.run(['wait', this.run, '--for', states, '--timeout', '170s']);
    if (status === 0) return await this.show();
    const { stdout: log } = await this.world.run(['logs', this.run]);
    throw new Error(`${this.run} did not become ${states}: ${stdout}${stderr}\n${log}`);
  }

  async decide(option: string, ...args: readonly string[]): Promise<void> {
    await this.world.ok('decide', this.run, option, ...args);
  }

  /** Files in the folder of the run. */
  files(pattern: string): readonly string[] {
    return globSync(pattern, { cwd: join(this.world.root, 'runs', this.run) }).toSorted();
  }

  read(path: string): string {
    return readFileSync(join(this.world.root, 'runs', this.run, path), 'utf8');
  }

  /** The lines that agents have written about what they did: `<what>`, once for each time. */
  noted(what: string): number {
    const file = this.#notes;
    return existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line === what).length
      : 0;
  }

  get #notes(): string {
    return join(this.world.dir, `${this.run}.notes`);
  }

  /** A shell line that notes this, so that agents count for themselves. */
  note(what: string): string {
    return `echo ${what} >> ${this.#notes}`;
  }

  /** A shell line that waits for the file of this name to be opened with `open`. */
  gate(name: string): string {
    return `until test -e ${this.#gateOf(name)}; do sleep 0.1; done`;
  }

  open(name: string): void {
    writeFileSync(this.#gateOf(name), '');
  }

  #gateOf(name: string): string {
    return join(this.world.dir, `${this.run}.${name}`);
  }
}

/** The state of a stage, of an item, or of a stage of an item. */
export function stateOf({ stages }: View, id: string): z.infer<typeof stateSchema> | undefined {
  const all = stages.flatMap((stage) => [stage, ...(stage.items ?? []).flatMap((item) => [item, ...item.stages])]);
  return all.find((each) => each.id === id);
}
