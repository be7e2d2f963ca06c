import { commandLine } from '../../base/shell-quote.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { Worker } from '../../store/state.ts';

/** Where work lands because a person chose so in an accept that did not land it, and how to choose otherwise. */
export function chosenPlaceText(worker: string, { branch }: NonNullable<Worker['chosen_place']>): string {
  const other = branch === null ? ['--branch', `${worker}/fix`] : ['--main'];
  const place = branch === null ? 'a branch' : 'main';
  return `It lands on ${visibleLine(branch ?? 'main')}, as you chose in the last accept. To land it on ${place}: ${commandLine('llmc', 'accept', worker, ...other)}`;
}
