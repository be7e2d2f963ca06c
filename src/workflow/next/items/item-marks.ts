import { isOver } from '../../model/run.ts';
import { listItems } from '../../model/stage-at.ts';
import { lossOfItems, lostItems } from '../loss.ts';
import type { Turn } from '../turn.ts';
import { listInside } from './before.ts';

/** The marks on what an item left. */
export function marksIn({ run }: Pick<Turn, 'run'>, item: string): readonly string[] {
  return [item, ...listInside(run, item)].flatMap((address) => run.steps[address]?.marks ?? []);
}

/** Items of a list begin again: the list lacks only those that stay lost, and keeps only the marks of those that stay. */
export function withoutReopened(turn: Turn, forEach: string): void {
  const isLacking = lostItems(turn, forEach).length > 0;
  const staying = listItems(turn.run, forEach).filter((item) => isOver(turn.step(item)));
  const kept = new Set([...staying.flatMap((item) => marksIn(turn, item)), ...(isLacking ? ['partial'] : [])]);
  const { marks } = turn.step(forEach);
  const left = marks.filter((mark) => !OF_ITEMS.has(mark) || kept.has(mark));
  if (left.length < marks.length) turn.changeStep(forEach, { marks: left });
  if (!turn.run.losses.some(({ step }) => step === forEach)) return;
  turn.regain([forEach]);
  if (isLacking) turn.lose(lossOfItems(turn, forEach));
}

/** Marks that a list has because of its items. */
const OF_ITEMS: ReadonlySet<string> = new Set(['partial', 'unverified']);
