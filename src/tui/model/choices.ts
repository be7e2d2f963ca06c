import { visibleText } from '../../base/visible-text.ts';
import type { ListItem } from './item.ts';

/** An open question with what can be answered. */
export interface Choices {
  readonly title: string;
  /** The whole question, and the whole command of a permission. */
  readonly text: string;
  readonly command: string | null;
  readonly options: readonly string[];
  /** Whether several may be marked. */
  readonly several: boolean;
  /** The dialog that an answer is for; null for a question of a run, which has a number. */
  readonly dialog: string | null;
}

/** What a worker or a run asks; undefined if it asks nothing that can be chosen by a number. */
export function findChoices(item: ListItem | undefined): Choices | undefined {
  if (item?.kind === 'question') {
    const { run, number, text, options, see } = item.question;
    const places = see.map((place) => `see: ${place}`);
    return { title: `${run}#${number} asks`, text: [text, ...places].join('\n'), command: null, options, several: false, dialog: null };
  }
  if (item?.kind !== 'worker' || item.worker.asks === null || item.group !== 'asks') return undefined;
  const { name, asks } = item.worker;
  const title = asks.tool === null || asks.tool === 'unknown' ? `${name} asks` : `${name} wants permission for ${visibleText(asks.tool)}`;
  const text = asks.screen === null ? asks.question : asks.screen.join('\n');
  return { title, text, command: asks.command, options: asks.choices, several: asks.several, dialog: asks.id };
}
