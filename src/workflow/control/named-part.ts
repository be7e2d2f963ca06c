import { commandLine } from '../../base/shell-quote.ts';
import { nearest } from '../../config/nearest.ts';
import type { Run } from '../model/run.ts';
import { listItems, stagesIn } from '../model/stage-at.ts';

type Steps = Pick<Run, 'plan' | 'steps'>;

/** The parts of a run that a person can name: its stages, the items of a `for_each` (`sections/s3`) and the stages of an item (`write/s3`). */
export function listParts(run: Steps): readonly string[] {
  return stagesIn(run).map(({ id }) => id);
}

/** Lists of items are as long as an agent makes them. */
const MOST_ITEMS = 12;

/** Why a run does not have a part of this name, and what to type: `command` with the part that was probably meant. */
export function unknownPart(run: Run, name: string, command: readonly string[]): { readonly message: string; readonly hint: string } {
  const close = nearest(name, listParts(run));
  const lists = run.plan.stages.map(({ id }) => ({ id, items: listItems(run, id) })).filter(({ items }) => items.length > 0);
  const kinds = lists.length === 0 ? 'stage' : 'stage or item';
  const meant = close === undefined ? '; its' : `; did you mean "${close}"? Its`;
  const known = [`${meant} stages are ${run.plan.stages.map(({ id }) => id).join(', ')}`];
  return {
    message: `${run.id} has no ${kinds} "${name}"${[...known, ...lists.map(({ id, items }) => `; items of ${id}: ${shortened(items)}`)].join('')}`,
    hint: close === undefined ? commandLine('llmc', 'show', run.id) : commandLine('llmc', ...command, close, '--dry-run'),
  };
}

function shortened(items: readonly string[]): string {
  const more = items.length - MOST_ITEMS;
  return [...items.slice(0, MOST_ITEMS), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
