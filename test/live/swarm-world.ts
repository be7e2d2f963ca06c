import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import { llmcWorld, type World } from '../support/world.ts';

const viewSchema = z.object({
  id: z.string(),
  status: z.string(),
  degradation_level: z.string(),
  stages: z.array(z.object({ id: z.string(), state: z.string(), marks: z.array(z.string()) })),
  questions: z.array(z.object({ number: z.int(), type: z.string(), options: z.array(z.string()) })),
  warnings: z.array(z.string()),
  losses: z.array(z.object({ step: z.string().nullable(), impact: z.string(), mitigation: z.string() })),
  error: z.object({ code: z.string() }).nullable(),
});
export type View = z.infer<typeof viewSchema>;
export type Role = 'researcher' | 'developer' | 'reviewer';

const recordSchema = z.object({ worker: z.string(), event: z.string() });

const BUILT_IN = join(import.meta.dirname, '../../workflows/swarm.yaml');

export const TASK = 'Add a page about the sea';

/** As many files as a small public project has. */
const FILES = Object.fromEntries(Array.from({ length: 520 }, (_, index) => [`src/part-${index % 26}/file-${index}.txt`, `${index}\n`]));

/**
 * Places for all stories of a file, so that no agent rests for another story, and short waits before an agent starts again: their
 * figures are tables of src/recovery.
 */
const CONFIG = '[workflow]\nmax_agents = 64\nrecovery_cooldown_ms = 100\n[workflow.retry.agent_spawn]\ndelay_ms = 100\n';

/** A root with a supervisor, on a repository of 520 files, in which each swarm has agents that behave as its scenarios say. */
export async function swarmWorld(): Promise<World> {
  const world = await llmcWorld({ stage: 'root', source: { files: FILES } });
  const args = ['--scenario', world.scenarios, '--record', recordOf(world)];
  appendFileSync(join(world.root, 'config.toml'), `\n[agents.demo]\nargs = ${JSON.stringify(args)}\n${CONFIG}`);
  mkdirSync(join(world.root, 'workflows'), { recursive: true });
  await world.comeUp();
  return world;
}

const recordOf = (world: World): string => join(world.dir, 'tasks.jsonl');

/** What the agents of one run do, by role; otherwise they do their work at once. */
export type Scenarios = Readonly<Partial<Record<Role, string>>>;

/** A run of its own in the shared world. */
export class Swarm {
  readonly run: string;
  readonly #world: World;
  readonly #workflow: string;

  /** `workflow`: at most ten letters, because workers are named after the run. Each story has its own copy of the swarm. */
  constructor(world: World, workflow: string, scenarios: Scenarios = {}) {
    this.#world = world;
    this.#workflow = workflow;
    this.run = `${workflow}-1`;
    for (const [role, text] of Object.entries(scenarios)) writeFileSync(join(world.scenarios, `${this.run}-${role}.yaml`), text);
  }

  worker(role: Role): string {
    return `${this.run}-${role}`;
  }

  #define(change: (text: string) => string): void {
    if (this.#workflow === 'swarm') return;
    const text = readFileSync(BUILT_IN, 'utf8').replace('name: swarm', `name: ${this.#workflow}`);
    writeFileSync(join(this.#world.root, 'workflows', `${this.#workflow}.yaml`), change(text));
  }

  /** Starts the run and does not wait for it. */
  async start(change: (text: string) => string = (text) => text): Promise<void> {
    this.#define(change);
    await this.#world.ok('run', this.#workflow, '--input', `task=${TASK}`, '--detach');
  }

  /** Runs until a person is needed or the run ends. */
  async play(): Promise<View> {
    this.#define((text) => text);
    const { stdout, stderr } = await this.#world.run(['run', this.#workflow, '--input', `task=${TASK}`, '--json']);
    try {
      return viewSchema.parse(JSON.parse(stdout));
    } catch (cause) {
      throw new Error(`llmc run ${this.#workflow}: ${stdout}${stderr}`, { cause });
    }
  }

  async show(): Promise<View> {
    return await this.#world.json(viewSchema, 'show', this.run);
  }

  /** How many turns the agents of each role had, from their own record. A turn that goes on after a crash counts twice. */
  turns(): Readonly<Record<string, number>> {
    const file = recordOf(this.#world);
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
    const own = lines
      .map((line) => recordSchema.parse(JSON.parse(line)))
      .filter(({ event, worker }) => (event === 'began' || event === 'continued') && worker.startsWith(`${this.run}-`));
    const byRole = Map.groupBy(own, ({ worker }) => worker.slice(this.run.length + 1));
    return Object.fromEntries([...byRole].map(([role, all]) => [role, all.length]));
  }

  /** A person reviews and accepts the work: it must land once. */
  async lands(): Promise<void> {
    const developer = this.worker('developer');
    await this.#world.ok('review', developer);
    await this.#world.ok('accept', developer);
    await this.#world.ok('wait', this.run, '--for', 'done', '--timeout', '4m');
    const commits = await this.#world.git('log', '--format=%s', 'main', '--', `llmc-demo/${developer}.md`);
    expect(commits.split('\n')).toEqual([TASK]);
  }
}

export const stateOf = ({ stages }: View, id: string) => stages.find((stage) => stage.id === id)?.state;
export const marksOf = ({ stages }: View, id: string) => stages.find((stage) => stage.id === id)?.marks;
