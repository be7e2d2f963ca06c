import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AgentWorld } from './agent-world.ts';
import type { ScriptedServer } from './api/scripted-server.ts';
import type { IsolatedHome } from './isolated-home.ts';

export interface RealAgentOptions {
  readonly workers: readonly string[];
  /** Arguments of every worker's agent. */
  readonly args?: readonly string[];
  /** Added at the end of config.toml. */
  readonly config?: string;
  /** False: the agent asks before each tool, or before what its sandbox forbids. */
  readonly skipPermissions?: boolean;
  /** The fault point at which the supervisor dies. */
  readonly fault?: string;
  readonly stage?: 'root' | 'up';
  /** The wall of `llmc init --hardened`: the agent reaches its part of the API and nothing else, and has the variables of its login. */
  readonly hardened?: boolean;
}

/** A scripted API that knows the prompts among its requests. */
type Api<Body, Step> = ScriptedServer<Body, Step> & { received(worker: string): readonly string[] };

/** llmc and a real agent CLI in a separate home: every worker has its own part of one scripted API on loopback. */
export class RealAgentWorld<Body, Step, Home extends IsolatedHome> extends AgentWorld {
  readonly api: Api<Body, Step>;
  readonly isolated: Home;
  readonly #forget = () => {
    for (const folder of [this.dir, this.isolated.folder]) rmSync(folder, { recursive: true, force: true });
  };

  constructor(api: Api<Body, Step>, isolated: Home) {
    super('source');
    this.api = api;
    this.isolated = isolated;
    // An interrupted run must not leave folders behind either.
    process.once('exit', this.#forget);
  }

  override get env(): Record<string, string> {
    return { ...this.isolated.env, ...super.env };
  }

  script(worker: string, ...steps: readonly Step[]): void {
    this.api.script(worker, ...steps);
  }

  requests(worker: string): ReturnType<Api<Body, Step>['requests']> {
    return this.api.requests(worker);
  }

  received(worker: string): readonly string[] {
    return this.api.received(worker);
  }

  /** Makes the repository and the root, with the agent's tables of config.toml in these lines, and brings it up. */
  async open(agent: string, options: RealAgentOptions, lines: readonly string[]): Promise<this> {
    try {
      mkdirSync(this.source);
      this.write('README.md', 'hello\n');
      await this.git('init', '--quiet', '--initial-branch=main');
      await this.git('add', '--all');
      await this.git('commit', '--quiet', '-m', 'Begin');
      await this.ok('init', '--source', this.source, '--agent', agent);
      if (options.skipPermissions === false) this.set('defaults', 'skip_permissions = false\nallowed_tools = []');
      const sandbox = options.hardened === true ? this.#wall() : [];
      appendFileSync(join(this.root, 'config.toml'), `\n${[...lines, ...sandbox].join('\n')}\n${options.config ?? ''}\n`);
      for (const name of options.workers) await this.ok('add', name, '--agent', `${agent}-${name}`);
      if (options.stage !== 'root') await this.up(options.fault);
      return this;
    } catch (error) {
      await this[Symbol.asyncDispose]();
      throw error;
    }
  }

  #wall(): readonly string[] {
    const environment = Object.keys(this.isolated.env);
    const hosts = [new URL(this.api.urlFor('nobody')).host];
    return tomlTable('sandbox', { kind: 'bubblewrap', required: true, network: 'hosts', hosts, environment });
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    process.off('exit', this.#forget);
    await using _home = this.isolated;
    await using _api = this.api;
    await super[Symbol.asyncDispose]();
  }
}

/** A table of config.toml; a value is written as TOML by its JSON form, and a record of strings as an inline table. */
export function tomlTable(name: string, values: Readonly<Record<string, unknown>>): readonly string[] {
  const inline = (record: object) =>
    `{ ${Object.entries(record)
      .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
      .join(', ')} }`;
  const text = (value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? inline(value) : JSON.stringify(value);
  return [`[${name}]`, ...Object.entries(values).map(([key, value]) => `${key} = ${text(value)}`), ''];
}
