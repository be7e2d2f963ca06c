import type { Agent } from '../../agents/agent.ts';
import type { LaunchRequest } from '../../agents/launch.ts';
import { LlmcError } from '../../base/error.ts';
import type { Instant } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import { connectMessages } from '../../system/message-socket.ts';
import type { WorkContext } from '../../workers/context.ts';
import { launchRequest } from '../launch-plan.ts';
import type { Watch } from '../watch.ts';
import { Channel } from './channel.ts';
import { isOpen, type Spoken } from './spoken.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** Without an open conversation for this long, a person is told; llmc goes on trying. */
const PATIENCE_MS = 30_000;

/** Keeps the line to the agent's server open: a connection that ended is followed by another, soon at first. Throws when there has been none for too long. */
export function keepConnected(context: WorkContext, watch: Watch, spoken: Spoken, agent: Agent, config: Config, news: () => void): void {
  const now = context.clock.now();
  if (spoken.channel?.dialogue.problem !== undefined) giveUpOn(context, watch, spoken, spoken.channel);
  if (isOpen(spoken)) {
    Object.assign(spoken, { failures: 0, startFresh: false, closedSince: undefined });
    return;
  }
  spoken.closedSince ??= now;
  const lost = takeLeave(context, watch, spoken, now);
  // Also when the clock was set back since.
  const pauses = now < spoken.nextTryAt && spoken.nextTryAt <= now + LONGEST_PAUSE_MS;
  if (spoken.channel === undefined && !pauses && agent.protocol !== undefined) {
    const { clock, store, layout } = context;
    const worker = store.worker(watch.name);
    const request = launchRequest(layout, config, worker, watch.incarnation, conversationOf(watch, spoken, worker));
    spoken.asked = undefined;
    spoken.recordsTaken = 0;
    spoken.channel = new Channel(connectMessages, layout.agentSocket(watch.name), agent.protocol.dialogue(request), clock, news);
  }
  if (now - spoken.closedSince > PATIENCE_MS) throw unreachable(watch.name, lost ?? 'it does not answer');
}

/** Lets go of a connection that has ended, or on which nothing was said for too long. Returns why. */
function takeLeave(context: WorkContext, watch: Watch, spoken: Spoken, now: Instant): string | undefined {
  const { channel } = spoken;
  if (channel === undefined) return undefined;
  // Connected, and its conversation does not open: a server that hangs may answer the next one.
  if (channel.ended === undefined && channel.openedAt !== undefined && now - channel.openedAt > PATIENCE_MS) channel.close();
  if (channel.ended === undefined) return undefined;
  spoken.channel = undefined;
  if (channel.openedAt !== undefined)
    context.store.commit({ worker: watch.name, kind: 'channel', summary: `the connection to the agent ended: ${channel.ended}` });
  spoken.nextTryAt = now + Math.min(FIRST_PAUSE_MS * 2 ** spoken.failures, LONGEST_PAUSE_MS);
  spoken.failures += 1;
  return channel.ended;
}

/** The one this life of the agent has opened; else the one it was launched to take up; else a new one. */
function conversationOf(
  watch: Watch,
  spoken: Spoken,
  worker: { readonly conversation_id: string | null; readonly conversation_used: boolean },
): LaunchRequest['conversation'] {
  const id = watch.memory.conversationId ?? (worker.conversation_used ? worker.conversation_id : null);
  return id === null || spoken.startFresh ? { kind: 'fresh', id: '' } : { kind: 'resume', id };
}

/** One that holds nothing is replaced; one that holds work is not given up silently. */
function giveUpOn(context: WorkContext, watch: Watch, spoken: Spoken, channel: Channel): void {
  const used = context.store.worker(watch.name).conversation_used || watch.memory.promptsInConversation > 0;
  channel.close();
  if (!used && !spoken.startFresh) {
    spoken.startFresh = true;
    return;
  }
  spoken.channel = undefined;
  spoken.nextTryAt = context.clock.now() + LONGEST_PAUSE_MS;
  throw new LlmcError('AGENT_BLOCKED', `the agent of ${watch.name} cannot open its conversation: ${channel.dialogue.problem ?? ''}`, {
    hint: `Look (llmc why ${watch.name}), or start over: llmc reset ${watch.name}`,
  });
}

function unreachable(name: string, why: string): LlmcError {
  return new LlmcError('AGENT_BLOCKED', `the agent of ${name} runs, but cannot be spoken to: ${why}`, {
    hint: `Look (llmc attach ${name}) or start it anew: llmc reset ${name}. With channel = "typing" in its [agents.…] table it is typed to.`,
  });
}
