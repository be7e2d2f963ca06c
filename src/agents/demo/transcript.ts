import { join } from 'node:path';
import type { Environment, RecordedPrompt, Transcript } from '../agent.ts';
import { parseFact } from './tui/fact.ts';

/** The agent's memory of a conversation, one fact per line. */
export const transcript: Transcript = {
  path: (env, _worktree, conversationId) => join(folder(env), `${conversationId}.jsonl`),
  folder,
  prompts: promptsIn,
};

function folder({ LLMC_SCRATCH: scratch = '' }: Environment): string {
  return join(scratch, 'conversations');
}

export function promptsIn(text: string): readonly RecordedPrompt[] {
  return text
    .split('\n')
    .flatMap(parseFact)
    .flatMap((fact) => (fact.type === 'turn' || fact.type === 'go_on' ? [{ text: fact.prompt, at: fact.at }] : []));
}
