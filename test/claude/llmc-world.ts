import { type RealAgentOptions, RealAgentWorld, tomlTable } from '../support/real-agent-world.ts';
import type { MessagesRequest } from './api-request.ts';
import type { Step } from './api-steps.ts';
import { installedClaude } from './install.ts';
import { IsolatedClaude } from './isolated.ts';
import { ScriptedApi } from './scripted-api.ts';

/** Undefined, with a warning, on a developer's machine that cannot install it. */
export const program = await installedClaude();

/** Longer than any test. */
const NEVER_MS = 86_400_000;

export interface ClaudeWorldOptions extends RealAgentOptions {
  /** The environment of every worker's Claude Code. */
  readonly env?: Readonly<Record<string, string>>;
  readonly width?: number;
  /** Use a subscriber's token: Claude Code explains usage limits to subscribers only. */
  readonly oauth?: boolean;
  /** Suppresses the report that Claude Code waits, which it otherwise sends a minute after a turn. */
  readonly quiet?: boolean;
}

export class ClaudeWorld extends RealAgentWorld<MessagesRequest, Step, IsolatedClaude> {}

/** `await using world = await claudeWorld({ workers: ['adam'] })` */
export async function claudeWorld(options: ClaudeWorldOptions): Promise<ClaudeWorld> {
  const api = await ScriptedApi.start();
  const isolated = await IsolatedClaude.create({
    baseUrl: api.urlFor('nobody'),
    trusted: [],
    ...(options.oauth && { oauth: true }),
    ...(options.quiet && { idleNoticeMs: NEVER_MS }),
  });
  const { workers, args = [], env = {}, width } = options;
  return await new ClaudeWorld(api, isolated).open('claude', options, [
    ...(width === undefined ? [] : tomlTable('pane', { width })),
    ...tomlTable('agents.claude', { command: program, args }),
    // An agent per worker, because an agent's environment names its API.
    ...workers.flatMap((name) =>
      tomlTable(`agents.claude-${name}`, { extends: 'claude', env: { ...env, ANTHROPIC_BASE_URL: api.urlFor(name) } }),
    ),
  ]);
}
