import type { Instant } from '../base/ports.ts';
import type { Activity } from './activity.ts';
import type { AgentEvent } from './events.ts';
import type { Launch, LaunchRequest } from './launch.ts';

/**
 * The protocol channel of an agent: a server that llmc starts, which is the agent's process, and a viewer for people.
 * A `Channel` holds the connection; this interface only describes the messages.
 */
export interface Protocol {
  /** Arguments that make the program show whether this version has the protocol. */
  readonly probe: readonly string[];
  isSupported(probeOutput: string): boolean;
  /** Characters of the longest prompt that it accepts; llmc sends a longer one as a file, as on the keyboard channel. */
  readonly longestPrompt: number;
  /** The agent's process: it listens on `socket` and outlives the supervisor. */
  server(request: LaunchRequest, socket: string): Launch;
  /** Where the server really listens, if it only leaves a link at `socket`. */
  socketFolder?(uid: number): string;
  /** The interface for people; it can be closed and reopened at any time. Only for a conversation that has started. */
  viewer(request: LaunchRequest, socket: string, conversationId: string): Launch;
  /** A new one for each connection. */
  dialogue(request: LaunchRequest): Dialogue;
}

/** One received event. The same event has the same id, live or when llmc reads the conversation again. */
export interface ProtocolEvent {
  readonly id: string;
  /** The protocol's own name of it, for `llmc why`. */
  readonly name: string;
  readonly event: AgentEvent;
}

export interface Received {
  /** Messages to send at once, in this order. */
  readonly send: readonly string[];
  readonly events: readonly ProtocolEvent[];
}

/** The result of a prompt that was sent over this connection. */
export type PromptFate = 'unknown' | 'accepted' | { readonly refused: string };

/** The message that answers a dialog. `next_question`: the answer is kept until the other questions of the same request have theirs. */
export type Given = { readonly send: string } | 'next_question';

/** The state of one connection to the server. It returns messages instead of sending them, and never throws. */
export interface Dialogue {
  /** The first messages after connecting: the handshake, then the open or resume of the requested conversation. */
  hello(): readonly string[];
  receive(message: string, now: Instant): Received;
  /** null until the conversation is open, and while llmc opens another one. */
  readonly conversationId: string | null;
  /** Why the conversation could not be opened, in one sentence. */
  readonly problem: string | undefined;
  /** The server itself says that it does not have the conversation. Any other problem may go away. */
  readonly hasLost: boolean;
  /**
   * The activity that the server reports; undefined before its first report. The same object as long as the activity is
   * the same, because two dialogs with equal texts may be about different commands.
   */
  readonly live: Activity | undefined;
  /** The message that sends a prompt with llmc's own id; undefined while no conversation is open. */
  prompt(id: string, text: string): string | undefined;
  fateOf(promptId: string): PromptFate;
  /** The request for the whole conversation: its prompts and turns then arrive (again) as events. */
  readAgain(): string | undefined;
  /** How often the whole conversation has arrived. */
  readonly timesRead: number;
  /** undefined: nothing to interrupt. */
  interrupt(): string | undefined;
  /** Answers the open dialog; undefined if none is open or it has no such choice. */
  answer(choice: string): Given | undefined;
  /** The request for a new, empty conversation instead of this one. */
  startOver(): string | undefined;
}
