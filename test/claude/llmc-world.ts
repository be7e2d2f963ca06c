import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { layoutOf } from '../../src/store/layout.ts';
import { systemProcesses } from '../../src/system/processes.ts';
import { type Screen, screenFromText } from '../../src/terminal/screen.ts';
import { until } from '../support/scratch-tmux.ts';
import { World } from '../support/world.ts';
import { lastUserText } from './api-request.ts';
import type { Step } from './api-steps.ts';
import { installedClaude } from './install.ts';
import { IsolatedClaude } from './isolated.ts';
import { type Recorded, ScriptedApi } from './scripted-api.ts';

/** Undefined, with a loud word, on a developer's machine that cannot install it. */
export const program = await installedClaude();

// Generous: the suite shares two cores with everything else that runs.
const DEADLINE_MS = 40_000;

export interface ClaudeWorldOptions {
  readonly workers: readonly string[];
  /** Arguments and environment of every worker's Claude Code. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly width?: number;
  /** Put at the end of config.toml. */
  readonly config?: string;
  /** Off: it asks before each tool. */
  readonly skipPermissions?: boolean;
  /** Dies at this place when it gets there. */
  readonly fault?: string;
  readonly stage?: 'root' | 'up';
}

const deliveryRow = z.object({
  id: z.string(),
  worker: z.string(),
  purpose: z.string(),
  text: z.string(),
  sent_text: z.string(),
  changes: z.string().transform((json) => z.array(z.string()).parse(JSON.parse(json))),
  state: z.string(),
  reason: z.string().nullable(),
  attempt: z.number(),
  ack_source: z.string().nullable(),
});

export type DeliveryRow = z.output<typeof deliveryRow>;

/** llmc and the real Claude Code in a home of their own: every worker talks to its own part of one scripted API on loopback. */
export class ClaudeWorld extends World {
  readonly api: ScriptedApi;
  readonly isolated: IsolatedClaude;
  readonly #forget = () => {
    for (const folder of [this.dir, join(this.isolated.home, '..')]) rmSync(folder, { recursive: true, force: true });
  };

  constructor(api: ScriptedApi, isolated: IsolatedClaude) {
    super('source');
    this.api = api;
    this.isolated = isolated;
    // Nor does a run that is cut short leave folders behind.
    process.once('exit', this.#forget);
  }

  override get env(): Record<string, string> {
    return { ...this.isolated.env, ...super.env };
  }

  async up(fault?: string): Promise<void> {
    const { status, stdout, stderr } = await this.run(['up', '--detach'], { env: { LLMC_FAULT: fault } });
    if (status !== 0) throw new Error(`llmc up --detach: ${stdout}${stderr}`);
  }

  script(worker: string, ...steps: readonly Step[]): void {
    this.api.script(worker, ...steps);
  }

  requests(worker: string): readonly Recorded[] {
    return this.api.requests(worker);
  }

  /** The prompts the API was given, in order: what came last in each main request, unless that is the result of a tool. */
  received(worker: string): readonly string[] {
    return this.requests(worker).flatMap(({ body }) => {
      const content = body.messages.at(-1)?.content;
      const last = Array.isArray(content) ? content.at(-1) : undefined;
      const answersTool = Array.isArray(content) && content.some(({ type }) => type === 'tool_result');
      // A refused tool and the prompt after it come as one message; a reminder of Claude Code's own is no prompt.
      const isPrompt = !answersTool || (last?.type === 'text' && !last.text?.startsWith('<system-reminder>'));
      return isPrompt ? [lastUserText(body) ?? ''] : [];
    });
  }

  deliveries(worker: string): readonly DeliveryRow[] {
    return this.rows(deliveryRow, 'SELECT * FROM deliveries WHERE worker = ? ORDER BY seq', worker);
  }

  /** How often its agent was started. */
  incarnation(worker: string): number {
    const state = z.object({ workers: z.record(z.string(), z.object({ incarnation: z.number() })) });
    return state.parse(JSON.parse(readFileSync(join(this.root, 'state.json'), 'utf8'))).workers[worker]?.incarnation ?? 0;
  }

  async reaches(worker: string, ...statuses: readonly string[]): Promise<void> {
    await this.ok('wait', worker, '--for', statuses.join(','), '--timeout', `${DEADLINE_MS}ms`);
  }

  async tmux(...args: readonly string[]): Promise<string> {
    const command = { file: 'tmux', args: ['-S', layoutOf(this.root).tmuxSocket, ...args] };
    const { outcome, stdout, stderr } = await systemProcesses.run(command);
    if (outcome.kind !== 'exited' || outcome.status !== 0) throw new Error(`tmux ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  /** Keys as a person in that terminal would press them. */
  async keys(worker: string, ...keys: readonly string[]): Promise<void> {
    await this.tmux('send-keys', '-t', `=llmc-${worker}:`, ...keys);
  }

  async type(worker: string, text: string): Promise<void> {
    await this.tmux('send-keys', '-t', `=llmc-${worker}:`, '-l', '--', text);
  }

  async screen(worker: string): Promise<Screen> {
    return screenFromText(await this.tmux('capture-pane', '-p', '-t', `=llmc-${worker}:`));
  }

  async until(what: string, holds: () => Promise<boolean> | boolean, deadlineMs = DEADLINE_MS): Promise<void> {
    await until(what, async () => await holds(), deadlineMs);
  }

  async shows(worker: string, text: string): Promise<void> {
    await this.until(`the screen of ${worker} to show "${text}"`, async () => (await this.screen(worker)).lines.join('\n').includes(text));
  }

  /** For the message of a failed test: what llmc thought and what stood on the screen. */
  async story(worker: string): Promise<string> {
    const why = await this.run(['why', worker]);
    const { lines } = await this.screen(worker).catch(() => screenFromText('(no screen)'));
    return `${why.stdout}${why.stderr}\n${lines.join('\n')}`;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    process.off('exit', this.#forget);
    await using _home = this.isolated;
    await using _api = this.api;
    await super[Symbol.asyncDispose]();
  }
}

/** `await using world = await claudeWorld({ workers: ['adam'] })` */
export async function claudeWorld(options: ClaudeWorldOptions): Promise<ClaudeWorld> {
  const api = await ScriptedApi.start();
  const isolated = await IsolatedClaude.create({ baseUrl: api.urlFor('nobody'), trusted: [] });
  const world = new ClaudeWorld(api, isolated);
  try {
    mkdirSync(world.source);
    world.write('README.md', 'hello\n');
    await world.git('init', '--quiet', '--initial-branch=main');
    await world.git('add', '--all');
    await world.git('commit', '--quiet', '-m', 'Begin');
    await world.ok('init', '--source', world.source, '--agent', 'claude');
    configure(world, options);
    for (const name of options.workers) await world.ok('add', name, '--agent', `claude-${name}`);
    if (options.stage !== 'root') await world.up(options.fault);
    return world;
  } catch (error) {
    await world[Symbol.asyncDispose]();
    throw error;
  }
}

/** An agent per worker, because an agent's environment names the API it talks to. */
function configure(world: ClaudeWorld, options: ClaudeWorldOptions): void {
  const { workers, args = [], env = {}, width, config = '', skipPermissions = true } = options;
  if (!skipPermissions) world.set('defaults', 'skip_permissions = false\nallowed_tools = []');
  const table = (name: string, lines: readonly string[]) => [`[${name}]`, ...lines, ''];
  const lines = [
    ...(width === undefined ? [] : table('pane', [`width = ${width}`])),
    ...table('agents.claude', [`command = ${JSON.stringify(program)}`, `args = ${JSON.stringify(args)}`]),
    ...workers.flatMap((name) =>
      table(`agents.claude-${name}`, [
        'extends = "claude"',
        `env = ${inlineTable({ ...env, ANTHROPIC_BASE_URL: world.api.urlFor(name) })}`,
      ]),
    ),
  ];
  appendFileSync(join(world.root, 'config.toml'), `\n${lines.join('\n')}\n${config}\n`);
}

function inlineTable(values: Readonly<Record<string, string>>): string {
  return `{ ${Object.entries(values)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    .join(', ')} }`;
}
