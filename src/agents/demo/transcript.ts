import { join } from 'node:path';
import type { RecordedPrompt, Transcript } from '../agent.ts';
import { parseFact } from './tui/fact.ts';

/** The agent's memory of a conversation, one fact per line. */
export const transcript: Transcript = {
  path: ({ LLMC_SCRATCH: scratch = '' }, _worktree, conversationId) => join(scratch, 'conversations', `${conversationId}.jsonl`),
  prompts: promptsIn,
};

export function promptsIn(text: string): readonly RecordedPrompt[] {
  return text
    .split('\n')
    .flatMap(parseFact)
    .flatMap((fact) => (fact.type === 'turn' || fact.type === 'go_on' ? [{ text: fact.prompt, at: fact.at }] : []));
}
