import { type Dialog, openDialog } from '../../agents/activity.ts';
import type { Channel } from '../../agents/channel.ts';
import type { WorkContext } from '../../workers/context.ts';

const TAKEN_PATIENCE_MS = 5_000;
const POLL_MS = 25;

/** The open dialog of an agent on the protocol channel. */
export function protocolDialog(channel: Channel | undefined): Dialog | undefined {
  return openDialog(channel?.live?.activity);
}

/** Sends the answer and waits until the agent has taken it. Returns the dialog that follows at once, if any. */
export async function answerOverProtocol(
  context: WorkContext,
  name: string,
  channel: Channel,
  choice: string,
): Promise<Dialog | 'none' | 'no_such_choice' | 'not_taken'> {
  const { clock, store, signal } = context;
  const before = channel.live?.activity;
  const given = channel.dialogue.answer(choice);
  if (given === undefined) return 'no_such_choice';
  store.commit({ worker: name, kind: 'answer', summary: `answered over the protocol with "${choice}"` });
  channel.give(given);
  const deadline = clock.now() + TAKEN_PATIENCE_MS;
  // The next dialog is another object, even with the same text.
  while (channel.live?.activity === before && channel.ended === undefined && clock.now() < deadline) await clock.sleep(POLL_MS, signal);
  return channel.live?.activity === before ? 'not_taken' : (protocolDialog(channel) ?? 'none');
}
