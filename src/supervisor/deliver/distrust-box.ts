import { openDialog } from '../../agents/activity.ts';
import type { Agent } from '../../agents/agent.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import type { WorkContext } from '../../workers/context.ts';
import { condemnPattern } from '../observe/condemn-pattern.ts';
import type { Watch } from '../observe/watch.ts';
import { boxHolds } from './text/input-box.ts';
import { seenSince } from './text/seen-text.ts';
import { noteTyping } from './typing-state.ts';

interface Typed {
  readonly row: Delivery;
  readonly text: string;
  /** The screen before the paste. */
  readonly before: readonly string[];
}

/**
 * The screen shows the whole text that was typed, and the pattern of the box does not find it there: the pattern is wrong. Without it,
 * the rules for an agent without patterns press Enter; typed again, the text would be there twice.
 */
export function distrustBox(
  context: Pick<WorkContext, 'store' | 'layout' | 'clock' | 'say'>,
  watch: Watch,
  agent: Agent,
  { row, text, before }: Typed,
): void {
  const { capture } = watch.screen;
  const { pane } = watch.tmux;
  if (agent.patterns === undefined || capture === undefined || typeof pane === 'string' || pane.attached) return;
  const { reading, screen } = capture;
  if (openDialog(reading.activity) !== undefined || seenSince(before, screen.lines, text) !== 'whole') return;
  const held = boxHolds(reading.box, text);
  const hasMoreLines = held === 'part' && text.includes('\n');
  const pattern = hasMoreLines && agent.patterns.source('box_more') !== '' ? 'box_more' : 'box';
  condemnPattern(context, watch, agent, { pattern, kind: 'misses_text' }, { lines: screen.lines, typed: text.split('\n')[0] ?? '' });
  noteTyping(watch, { plain: { delivery: row.id, attempt: row.attempt + 1, before, foreground: pane.command } });
}
