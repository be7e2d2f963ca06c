/** What the CLI's own record says about a prompt. `unknown`: the CLI keeps no record, or llmc could not read it. */
export type InRecord = 'held' | 'missing' | 'unknown';

/** A prompt that an agent acknowledged before it ended. */
export interface TakenPrompt {
  readonly id: string;
  /** It began the conversation, so a record without it has nothing before it. */
  readonly began: boolean;
  /** The agent reported the end of its turn. */
  readonly over: boolean;
  readonly record: InRecord;
}

export interface TakenView {
  readonly taken: readonly TakenPrompt[];
  readonly conversation: 'resume' | 'fresh';
  /** It had asked a person, and no other prompt waits. */
  readonly asked: boolean;
}

/** What the next incarnation is told. */
export type TakenStep = {
  /** Sent again, each as a prompt of its own, before anything else. */
  readonly again: readonly string[];
  readonly why: string;
} & (
  | { readonly kind: 'nothing' | 'again' | 'go_on' }
  /** The new conversation knows nothing, so the task and its last prompt are told again. */
  | { readonly kind: 'story' }
  /** The agent is told nothing before a person answers what it had asked. */
  | { readonly kind: 'question' }
);

/**
 * Decides what the next incarnation is told about the prompts that the last one had taken. Claude Code 2.1.325 reports a prompt up to
 * 300 ms before it writes it down, so an acknowledged prompt can be missing from the conversation that is resumed: "go on" would then
 * continue something else. A turn that is over was acted on, whatever the record holds.
 */
export function decideTaken({ taken, conversation, asked }: TakenView): TakenStep {
  const open = taken.filter(({ over }) => !over);
  const missing = open.filter(({ record }) => record === 'missing');
  const again = listIds(missing);
  if (open.length === 0) return { kind: 'nothing', again: [], why: 'no turn was under way' };
  if (conversation === 'fresh') {
    if (missing.some(({ began }) => began)) return { kind: 'again', again: listIds(open), why: 'the conversation never began' };
    return { kind: 'story', again: [], why: 'the new conversation does not know the task' };
  }
  if (missing.length === open.length) return { kind: 'again', again, why: 'the agent ended before its own record had it' };
  if (missing.length > 0) return { kind: 'go_on', again, why: 'the agent’s own record has only a part of them' };
  if (asked) return { kind: 'question', again, why: 'a person has to answer its question' };
  return { kind: 'go_on', again, why: 'the conversation has the prompt, and its turn did not end' };
}

const listIds = (prompts: readonly TakenPrompt[]): readonly string[] => prompts.map(({ id }) => id);
