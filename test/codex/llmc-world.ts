import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RealAgentOptions, RealAgentWorld, tomlTable } from '../support/real-agent-world.ts';
import { installedCodex } from './install.ts';
import { IsolatedCodex } from './isolated.ts';
import type { ResponsesRequest } from './responses-request.ts';
import type { Step } from './responses-steps.ts';
import { ScriptedResponses } from './scripted-responses.ts';

/** Undefined, with a warning, on a developer's machine that cannot install it. */
export const program = await installedCodex();

export interface CodexWorldOptions extends RealAgentOptions {
  readonly channel?: 'auto' | 'typing';
}

export class CodexWorld extends RealAgentWorld<ResponsesRequest, Step, IsolatedCodex> {
  /** Waits until the record of a conversation holds this. Codex writes it with a delay, and would not know the text if it were killed before. */
  async waitForRecord(text: string): Promise<void> {
    const files = join(this.isolated.codexHome, 'sessions', '**', '*.jsonl');
    await this.until(`"${text}" to be recorded`, () => globSync(files).some((file) => readFileSync(file, 'utf8').includes(text)));
  }
}

/** `await using world = await codexWorld({ workers: ['adam'] })` */
export async function codexWorld(options: CodexWorldOptions): Promise<CodexWorld> {
  const api = await ScriptedResponses.start();
  const isolated = await IsolatedCodex.create({ baseUrl: api.urlFor('nobody') });
  const { workers, channel = 'auto', args = [] } = options;
  const own = (name: string) => [...args, '-c', `model_providers.scripted.base_url=${JSON.stringify(api.urlFor(name))}`];
  return await new CodexWorld(api, isolated).open('codex', options, [
    ...tomlTable('agents.codex', { command: program, channel }),
    // An agent per worker, because an agent's arguments name its API.
    ...workers.flatMap((name) => tomlTable(`agents.codex-${name}`, { extends: 'codex', args: own(name) })),
  ]);
}
