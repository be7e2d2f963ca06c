import { type Dialog, openDialog } from '../../agents/activity.ts';
import type { Channel } from '../../agents/channel.ts';
import type { WorkContext } from '../../workers/context.ts';

const TAKEN_PATIENCE_MS = 5_000;
const POLL_MS = 25;

/** The open dialog of an agent on the protocol channel. */
export function protocolDialog(channel: Channel | undefined): Dialog | undefined {
  return openDialog(channel?.live?.activity);
}

interface Given {
  /** Whether the answer has left llmc: those to the pages of a form go out together, with the last one. */
  readonly sent: boolean;
  /** The dialog that follows at once. */
  readonly dialog: Dialog | undefined;
}

/** Sends the answer and waits until the agent has taken it. */
export async function answerOverProtocol(
  context: WorkContext,
  name: string,
  channel: Channel,
  choice: string,
): Promise<Given | 'no_such_choice' | 'not_taken' | 'ended'> {
  const { clock, store, signal } = context;
  const before = channel.live?.activity;
  const given = channel.dialogue.answer(choice);
  if (given === undefined) return 'no_such_choice';
  const sent = given !== 'next_question';
  const what = sent ? 'answered over the protocol with' : 'kept for the end of the form, in memory:';
  store.commit({ worker: name, kind: 'answer', summary: `${what} "${choice}"` });
  channel.give(given);
  const deadline = clock.now() + TAKEN_PATIENCE_MS;
  // The next dialog is another object, even with the same text.
  while (channel.live?.activity === before && channel.ended === undefined && clock.now() < deadline) await clock.sleep(POLL_MS, signal);
  if (channel.ended !== undefined) return 'ended';
  return channel.live?.activity === before ? 'not_taken' : { sent, dialog: protocolDialog(channel) };
}
