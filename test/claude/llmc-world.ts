import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AgentWorld } from '../support/agent-world.ts';
import { lastUserText } from './api-request.ts';
import type { Step } from './api-steps.ts';
import { installedClaude } from './install.ts';
import { IsolatedClaude } from './isolated.ts';
import { type Recorded, ScriptedApi } from './scripted-api.ts';

/** Undefined, with a loud word, on a developer's machine that cannot install it. */
export const program = await installedClaude();

/** Longer than any test. */
const NEVER_MS = 86_400_000;

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
  /** As a subscriber: only they are told of usage limits. */
  readonly oauth?: boolean;
  /** Nothing is reported but what the test brings about: left alone, it reports after a minute that it waits. */
  readonly quiet?: boolean;
}

/** llmc and the real Claude Code in a home of their own: every worker talks to its own part of one scripted API on loopback. */
export class ClaudeWorld extends AgentWorld {
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
  const isolated = await IsolatedClaude.create({
    ...{ baseUrl: api.urlFor('nobody'), trusted: [] },
    ...(options.oauth && { oauth: true }),
    ...(options.quiet && { idleNoticeMs: NEVER_MS }),
  });
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
