import { LlmcError } from '../base/error.ts';
import type { Agent } from './agent.ts';
import { claudeAgent } from './claude/adapter.ts';
import { codexAgent } from './codex/adapter.ts';
import { demoAgent } from './demo/adapter.ts';

const AGENTS: readonly Agent[] = [claudeAgent, codexAgent, demoAgent];

export function findAgent(adapter: string): Agent {
  const agent = AGENTS.find(({ name }) => name === adapter);
  if (agent === undefined) {
    throw new LlmcError('AGENT_NOT_FOUND', `this version of llmc has no adapter for "${adapter}"`, {
      hint: `Use one of: ${AGENTS.map(({ name }) => name).join(', ')}.`,
    });
  }
  return agent;
}

/** Undefined if there is no such adapter. */
export function findAdapter(adapter: string): Agent | undefined {
  return AGENTS.find(({ name }) => name === adapter);
}

/** The program of an adapter: '' for the built-in agent, undefined if there is no such adapter. */
export function findDefaultCommand(adapter: string): string | undefined {
  return AGENTS.find(({ name }) => name === adapter)?.defaultCommand;
}

/** Whether an agent CLI sets this variable for the commands that it runs. */
export function isSessionVariable(name: string): boolean {
  return AGENTS.some(({ sessionVariables = [] }) => sessionVariables.some((start) => name.startsWith(start)));
}

/** Undefined if there is no such adapter, or if llmc does not distinguish its versions. */
export function findRecordedVersions(adapter: string): readonly string[] | undefined {
  return AGENTS.find(({ name }) => name === adapter)?.recordedVersions;
}
