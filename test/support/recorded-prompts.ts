import { globSync, readFileSync } from 'node:fs';
import { findAgent } from '../../src/agents/registry.ts';

/** The prompts in the agent's own records at these paths, one list per conversation, without those that wait in its queue. */
export function recordedPrompts(agent: 'claude' | 'codex', records: string): readonly (readonly string[])[] {
  const { transcript } = findAgent(agent);
  return globSync(records).map((file) =>
    (transcript?.prompts(readFileSync(file, 'utf8')) ?? []).filter(({ waiting }) => waiting !== true).map(({ text }) => text),
  );
}
