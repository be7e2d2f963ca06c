import type { Instant } from '../../base/ports.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import type { PlainTyping, Watch } from '../observe/watch.ts';
import type { PlainView } from './delivery-step.ts';
import { isBeforeCursor, seenSince } from './text/seen-text.ts';

/** What the screen of an agent without patterns shows of a prompt. `earlier`: the texts of earlier prompts, which may still show. */
export function viewPlain(watch: Watch, row: Delivery, earlier: readonly string[], now: Instant): PlainView {
  const { pane } = watch.tmux;
  const lines = watch.screen.capture?.screen.lines ?? [];
  const text = row.sent_text ?? row.text;
  const typing = findTyping(watch, row);
  const cursor = typeof pane === 'string' ? { x: 0, y: 0 } : pane.cursor;
  return {
    typing,
    seen: typing === undefined && earlier.includes(text) ? 'nothing' : seenSince(typing?.before ?? [], lines, text),
    beforeCursor: isBeforeCursor(lines, cursor, text),
    changedSinceEnter: typing?.atEnter !== undefined && isChanged(typing.atEnter, { lines, cursor }),
    isWiped: typing !== undefined && seenSince(typing.before, lines, text) === 'nothing',
    // tmux reports whole seconds.
    quietMs: typeof pane === 'string' ? 0 : now - pane.wroteAt * 1_000,
  };
}

function findTyping({ typing: { plain } }: Watch, row: Delivery): PlainTyping | undefined {
  return plain?.delivery === row.id && plain.attempt === row.attempt ? plain : undefined;
}

type Shown = NonNullable<PlainTyping['atEnter']>;

function isChanged(before: Shown, now: Shown): boolean {
  return before.cursor.x !== now.cursor.x || before.cursor.y !== now.cursor.y || before.lines.join('\n') !== now.lines.join('\n');
}
