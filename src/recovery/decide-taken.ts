/** What the CLI's own record says about a prompt. `unknown`: the CLI keeps no record, or llmc could not read it. */
export type InRecord = 'held' | 'missing' | 'unknown';

/** A prompt that an agent acknowledged before it died. */
export interface TakenPrompt {
  readonly id: string;
  /** It began the conversation, so a record without it has nothing before it. */
  readonly began: boolean;
  /** The agent reported the end of its turn. */
  readonly over: boolean;
  readonly record: InRecord;
}

export interface TakenStep {
  /** Sent again, each as a prompt of its own, before anything else. */
  readonly again: readonly string[];
  /**
   * `story`: the new conversation knows nothing, so the task and its last prompts are told again.
   * `question`: the agent is told nothing before a person answers what it had asked.
   */
  readonly tell: 'nothing' | 'go_on' | 'story' | 'question';
}

/**
 * Decides what the next incarnation is told about the prompts that the last one had taken. Claude Code 2.1.325 reports a prompt up to
 * 300 ms before it writes it down, so an acknowledged prompt can be missing from the conversation that is resumed: "go on" would then
 * continue something else. A turn that is over was acted on, whatever the record holds.
 */
export function decideTaken(
  taken: readonly TakenPrompt[],
  conversation: 'resume' | 'fresh',
  /** It had asked a person, and no other prompt waits. */
  asked = false,
): TakenStep {
  const open = taken.filter(({ over }) => !over);
  const missing = open.filter(({ record }) => record === 'missing');
  if (open.length === 0) return { again: [], tell: 'nothing' };
  if (conversation === 'resume') {
    if (missing.length === open.length) return { again: idsOf(missing), tell: 'nothing' };
    return { again: idsOf(missing), tell: asked && missing.length === 0 ? 'question' : 'go_on' };
  }
  // Its first prompt is missing: the new conversation is as empty as the old one was.
  const neverBegan = missing.some(({ began }) => began);
  return neverBegan ? { again: idsOf(open), tell: 'nothing' } : { again: [], tell: 'story' };
}

const idsOf = (prompts: readonly TakenPrompt[]): readonly string[] => prompts.map(({ id }) => id);
