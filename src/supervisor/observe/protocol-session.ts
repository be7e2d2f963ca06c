import type { Channel } from '../../agents/channel.ts';
import type { LlmcError } from '../../base/error.ts';
import type { Instant } from '../../base/ports.ts';
import type { Pane } from '../../terminal/panes.ts';

/** What the supervisor holds in mind about an agent it speaks to, besides what it holds about every worker. */
export interface ProtocolSession {
  channel: Channel | undefined;
  /** Connections that failed since the last that opened its conversation. */
  failures: number;
  /** Since when there has been no open conversation. */
  closedSince: Instant | undefined;
  /** What a person was told about that. */
  trouble: LlmcError | undefined;
  /** Before this no new connection is tried. */
  nextTryAt: Instant;
  /** How many records of the conversation have been taken in over this connection. */
  recordsTaken: number;
  /** The last time its record was asked for on account of a prompt. */
  asked: { readonly delivery: string; readonly at: Instant; readonly recordsBefore: number } | undefined;
  viewer: Pane | undefined;
  /** When tmux was last asked about it. */
  viewerSeenAt: Instant | undefined;
  /** Viewers that could not be opened, or ended soon after. */
  viewerFailures: number;
  viewerOpenedAt: Instant | undefined;
  /** Its conversation could not be taken up and holds nothing: the next connection opens a new one. */
  startFresh: boolean;
}

export function newProtocolSession(): ProtocolSession {
  return {
    channel: undefined,
    failures: 0,
    nextTryAt: 0,
    closedSince: undefined,
    trouble: undefined,
    recordsTaken: 0,
    asked: undefined,
    viewer: undefined,
    viewerSeenAt: undefined,
    viewerFailures: 0,
    viewerOpenedAt: undefined,
    startFresh: false,
  };
}

/** Whether its conversation is open, so that prompts can be handed over. */
export function isOpen(protocol: ProtocolSession): boolean {
  const { channel } = protocol;
  return channel !== undefined && channel.ended === undefined && channel.dialogue.conversationId !== null;
}

export function closeConnection(protocol: ProtocolSession | undefined): void {
  protocol?.channel?.close();
}
