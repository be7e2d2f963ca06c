import type { Channel } from '../../agents/channel.ts';
import type { LlmcError } from '../../base/error.ts';
import type { Instant } from '../../base/ports.ts';
import type { Pane } from '../../terminal/panes.ts';

/** What the supervisor knows about an agent on the protocol channel, besides what it knows about every worker. */
export interface ProtocolSession {
  /** protocol/connect */
  connection: ConnectionState;
  /** protocol/viewer */
  viewer: Viewer;
  /** observe/observe: the viewer's pane, and when tmux was asked about it. */
  window: { readonly pane: Pane | undefined; readonly at: Instant } | undefined;
  /** observe/protocol-events: how many records of the conversation were ingested over a connection. */
  records: { readonly over: Channel; readonly taken: number } | undefined;
  /** deliver/send-over-protocol: the last time the record was requested because of a prompt. */
  asked: AskedDelivery | undefined;
}

export interface ConnectionState {
  channel: Channel | undefined;
  /** Connections that failed since the last one that opened the conversation. */
  failures: number;
  /** Since when there has been no open conversation. */
  closedSince: Instant | undefined;
  /** The message about that which a person has received. */
  trouble: LlmcError | undefined;
  /** No new connection is tried before this. */
  nextTryAt: Instant;
  /** The agent could not resume the conversation, which is empty: the next connection opens a new one. */
  startFresh: boolean;
  /** The agent said more than once that it does not have the conversation, although it has prompts. */
  lost: string | undefined;
}

export interface Viewer {
  /** Viewers in a row that could not be opened, or ended soon after. */
  failures: number;
  openedAt: Instant | undefined;
}

export interface AskedDelivery {
  readonly over: Channel | undefined;
  readonly delivery: string;
  readonly at: Instant;
  readonly recordsBefore: number;
}

export function newProtocolSession(): ProtocolSession {
  return {
    connection: {
      channel: undefined,
      failures: 0,
      nextTryAt: 0,
      closedSince: undefined,
      trouble: undefined,
      startFresh: false,
      lost: undefined,
    },
    viewer: { failures: 0, openedAt: undefined },
    window: undefined,
    records: undefined,
    asked: undefined,
  };
}

/** Whether the conversation is open, so that prompts can be sent. */
export function isOpen({ connection: { channel } }: ProtocolSession): boolean {
  return channel !== undefined && channel.ended === undefined && channel.dialogue.conversationId !== null;
}

/** Records of the conversation that were ingested over the present connection. */
export function recordsTaken({ connection: { channel }, records }: ProtocolSession): number {
  return channel !== undefined && records?.over === channel ? records.taken : 0;
}

export function closeConnection(protocol: ProtocolSession | undefined): void {
  protocol?.connection.channel?.close();
}
