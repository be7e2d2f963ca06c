import type { Agent } from '../../agents/agent.ts';
import { Channel } from '../../agents/channel.ts';
import type { LaunchRequest } from '../../agents/launch.ts';
import { LlmcError } from '../../base/error.ts';
import type { Instant } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import { readSandboxKind } from '../../sandbox/lives-in-sandbox.ts';
import type { Layout } from '../../store/layout.ts';
import type { Worker } from '../../store/state.ts';
import { socketBeside } from '../../system/files/socket-file.ts';
import type { WorkContext } from '../../workers/context.ts';
import { launchRequest } from '../launch/launch-plan.ts';
import { type ConnectionState, isOpen, type ProtocolSession } from '../observe/protocol-session.ts';
import type { Watch } from '../observe/watch.ts';

type ConnectContext = Pick<WorkContext, 'store' | 'layout' | 'clock' | 'connectMessages'>;

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** llmc reports to a person when there is no open conversation for this long, and keeps trying. */
const PATIENCE_MS = 30_000;

/** Keeps the connection to the agent's server open: llmc connects again after an end, soon at first. Throws when there has been no connection for too long. */
export function keepConnected(
  context: ConnectContext,
  watch: Watch,
  protocol: ProtocolSession,
  agent: Agent,
  config: Config,
  news: () => void,
): void {
  const now = context.clock.now();
  const { connection } = protocol;
  const problem = connection.channel?.dialogue.problem;
  if (connection.channel !== undefined && problem !== undefined) giveUpOn(context, watch, connection, connection.channel, problem);
  if (isOpen(protocol)) {
    Object.assign(connection, { failures: 0, startFresh: false, closedSince: undefined, trouble: undefined, lost: undefined });
    return;
  }
  connection.closedSince ??= now;
  takeLeave(context, watch, connection, now);
  // True also when the clock was set back since.
  const pauses = now < connection.nextTryAt && connection.nextTryAt <= now + LONGEST_PAUSE_MS;
  if (connection.channel === undefined && !pauses && agent.protocol !== undefined) {
    const { clock, store, layout, connectMessages } = context;
    const worker = store.worker(watch.name);
    const request = launchRequest(layout, config, worker, watch.life.incarnation, chooseConversation(watch, connection, worker));
    connection.channel = new Channel(connectMessages, locateSocket(layout, worker), agent.protocol.dialogue(request), clock, news);
  }
  if (now - connection.closedSince > PATIENCE_MS) connection.trouble ??= unreachable(watch.name);
  // Keep the same error for as long as it lasts, so that it is reported once.
  if (connection.trouble !== undefined) throw connection.trouble;
}

/** In a sandbox, a server that leaves a link listens beside the link. */
function locateSocket(layout: Layout, worker: Worker): string {
  const socket = layout.agentSocket(worker.name);
  return readSandboxKind(worker) === 'bubblewrap' ? socketBeside(socket) : socket;
}

/** Drops a connection that has ended, or whose conversation does not open. */
function takeLeave(context: ConnectContext, watch: Watch, connection: ConnectionState, now: Instant): void {
  const { channel } = connection;
  if (channel === undefined) return;
  // A server that hangs may answer the next connection. An old connection on which llmc opens another conversation is not late yet.
  const waitingSince = Math.max(channel.openedAt ?? now, connection.closedSince ?? now);
  if (channel.ended === undefined && now - waitingSince > PATIENCE_MS) channel.close();
  if (channel.ended === undefined) return;
  connection.channel = undefined;
  if (channel.openedAt !== undefined)
    context.store.commit({ worker: watch.name, kind: 'channel', summary: `the connection to the agent ended: ${channel.ended}` });
  connection.nextTryAt = now + Math.min(FIRST_PAUSE_MS * 2 ** connection.failures, LONGEST_PAUSE_MS);
  connection.failures += 1;
}

/** The conversation that this incarnation has opened; else the one it was launched to resume; else a new one. */
function chooseConversation(
  watch: Watch,
  connection: ConnectionState,
  worker: { readonly conversation_id: string | null; readonly conversation_used: boolean },
): LaunchRequest['conversation'] {
  const id = watch.reported.conversationId ?? (worker.conversation_used ? worker.conversation_id : null);
  return id === null || connection.startFresh ? { kind: 'fresh', id: '' } : { kind: 'resume', id };
}

/** Replaces an empty conversation. One with work in it is given up only if the agent does not have it; otherwise llmc tries again. */
function giveUpOn(context: ConnectContext, watch: Watch, connection: ConnectionState, channel: Channel, problem: string): void {
  channel.close();
  const used = context.store.worker(watch.name).conversation_used || watch.reported.promptsInConversation > 0;
  if (!used && !connection.startFresh) connection.startFresh = true;
  // Ignore the first failure: it may be temporary, and the next connection decides.
  else if (connection.failures > 0 && channel.dialogue.hasLost) connection.lost = problem;
  else if (connection.failures > 0)
    connection.trouble ??= new LlmcError('AGENT_UNUSABLE', `the agent of ${watch.name} cannot open its conversation: ${problem}`, {
      hint: `Details: llmc why ${watch.name}. Start over: llmc reset ${watch.name}`,
    });
}

function unreachable(name: string): LlmcError {
  return new LlmcError('AGENT_UNUSABLE', `the agent of ${name} runs, but llmc cannot connect to it`, {
    hint: `Details: llmc why ${name}. Start over: llmc reset ${name}. channel = "typing" in its [agents.…] table selects the keyboard channel.`,
  });
}
