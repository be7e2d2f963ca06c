import type { Letter } from '../model/run.ts';
import { MESSAGES_FOLDER } from '../next/values.ts';
import type { Incoming } from './exchange.ts';
import type { RunWorkerView } from './run-workers.ts';

/** Messages that an action brings along, as files for the agent. */
export function toIncoming(action: string, letters: readonly Letter[]): readonly Incoming[] {
  return letters.map(({ from, text }, index) => ({
    path: `${MESSAGES_FOLDER}/${action}-${index + 1}.md`,
    text: `From: ${from}\n\n${text}\n`,
  }));
}

/** Messages that were on their way to the agent when its session ended. */
export function missedBy({ missed }: RunWorkerView): readonly Incoming[] {
  return missed.map(({ id, text }) => ({ path: `${MESSAGES_FOLDER}/${id}.md`, text: `${text}\n` }));
}
