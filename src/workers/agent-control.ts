import type { Instant } from '../base/ports.ts';

/** What a use-case asks of the agents that run. */
export interface AgentControl {
  /** Starts a worker's agent again in an empty conversation. */
  restart(name: string): Promise<void>;
  /** Brings the agent back into an earlier conversation. False if it cannot resume it. */
  resumeConversation(name: string, conversation: string): Promise<boolean>;
  /** Makes a deleted worktree again; an agent that lived in it is started again in its conversation. */
  keepWorktree(name: string): Promise<void>;
  /** Stops the turn a busy agent is in. */
  interrupt(name: string): Promise<void>;
  /** When its agent last showed that it works; undefined if it is not observed. */
  progressAt(name: string): Instant | undefined;
  /** Answers the dialog that the agent has open, by the number or the text of a choice. False if it asks nothing in a dialog. */
  answer(name: string, choice: string): Promise<boolean>;
  /** Whether the agent is at a usage limit that it waits for by itself, and continues after it without a prompt. */
  continuesByItself(name: string): boolean;
  /** Why an idle agent may not be ended unasked: a person is attached to it, or has begun a text. Undefined if it may. */
  whyNotAlone(name: string): Promise<string | undefined>;
}
