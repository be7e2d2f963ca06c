import { commandLine } from '../../base/shell-quote.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { Worker } from '../../store/state.ts';

/** Where work lands because a person chose so in a review, or in an accept that did not land it, and how to choose otherwise. */
export function chosenPlaceText(worker: string, { branch }: NonNullable<Worker['chosen_place']>): string {
  const other = branch === null ? ['--branch', `${worker}/fix`] : ['--main'];
  const place = branch === null ? 'a branch' : 'main';
  return `It lands on ${visibleLine(branch ?? 'main')}, as you chose. To land it on ${place}: ${commandLine('llmc', 'accept', worker, ...other)}`;
}

/** Where the work of a run lands because its earlier work is there, and how to choose otherwise. */
export function runPlaceText(worker: string, branch: string): string {
  return `It lands on ${visibleLine(branch)}, as its run did before. To land it on main: ${commandLine('llmc', 'accept', worker, '--main')}`;
}
