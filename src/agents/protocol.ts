import type { Instant } from '../base/ports.ts';
import type { Activity } from './activity.ts';
import type { AgentEvent } from './events.ts';
import type { Launch, LaunchRequest } from './launch.ts';

/**
 * An agent that is spoken to instead of typed to: a server of llmc's own, which is the agent's process, and a viewer in
 * front of it for people. Whoever speaks to it holds a `Channel`; everything here only says what goes over it.
 */
export interface Protocol {
  /** Arguments that make the program tell whether this version speaks it. */
  readonly probe: readonly string[];
  isSupported(probeOutput: string): boolean;
  /** Characters of the longest prompt it takes; a longer one goes by a file, as it does where it would be typed. */
  readonly longestPrompt: number;
  /** The agent's process: it listens on `socket` and outlives the supervisor. */
  server(request: LaunchRequest, socket: string): Launch;
  /** What a person sees and may type into; it can end and be opened again at any time. Only for a conversation that has begun. */
  viewer(request: LaunchRequest, socket: string, conversationId: string): Launch;
  /** A new one for each connection. */
  dialogue(request: LaunchRequest): Dialogue;
}

/** One fact heard. The same fact has the same id whenever it is heard, live or when the record is read again. */
export interface ProtocolEvent {
  readonly id: string;
  /** The protocol's own word for it, for `llmc why`. */
  readonly name: string;
  readonly event: AgentEvent;
}

export interface Received {
  /** To be sent at once, in this order. */
  readonly send: readonly string[];
  readonly events: readonly ProtocolEvent[];
}

/** What became of a prompt that was sent over this connection. */
export type PromptFate = 'unknown' | 'accepted' | { readonly refused: string };

/** One connection's worth of conversation with the server: keeps its own state, does nothing by itself, never throws. */
export interface Dialogue {
  /** The first words after connecting: introduces itself, then opens or takes up the conversation of the request. */
  hello(): readonly string[];
  receive(message: string, now: Instant): Received;
  /** null until the conversation is open, and again while a new one is being opened. */
  readonly conversationId: string | null;
  /** Why the conversation could not be opened, in one sentence. */
  readonly problem: string | undefined;
  /**
   * What the server says the agent is doing; undefined before it has said anything. The very same object for as long as it
   * is the same: two dialogs may read alike and mean different commands.
   */
  readonly live: Activity | undefined;
  /** The words that hand over a prompt under llmc's own id; undefined while no conversation is open. */
  prompt(id: string, text: string): string | undefined;
  fateOf(promptId: string): PromptFate;
  /** Asks for the conversation's whole record: its prompts and turns are then heard (again) as events. */
  readAgain(): string | undefined;
  /** How many such records have arrived. */
  readonly timesRead: number;
  /** undefined: nothing to interrupt. */
  interrupt(): string | undefined;
  /** The words that answer the open dialog; undefined when none is open or it has no such choice. */
  answer(choice: string): string | undefined;
  /** Opens a new, empty conversation in place of this one. */
  startOver(): string | undefined;
}
