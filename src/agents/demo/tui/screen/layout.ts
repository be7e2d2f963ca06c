import type { State } from '../model.ts';
import { shownParts } from './draft.ts';
import type { Frame, Row, Size } from './frame.ts';
import { dialogRows } from './layout-dialog.ts';
import { entryRows } from './layout-entry.ts';
import { cutTo, displayable, widthOf, wrapHard } from './wrap.ts';

export interface View {
  readonly state: State;
  readonly header: readonly string[];
  readonly now: number;
}

/** U+00A0 after the glyph, as Claude Code 2.1 draws it: a reader that expects a plain space must fail here too. */
const PROMPT = '❯\u00a0';
const SPINNER = ['·', '✢', '✳', '✶', '✻', '✽'];
const QUEUE_ROWS = 3;

export function layout(view: View, size: Size): Frame {
  const { state } = view;
  const bottom = state.dialog === null ? boxRows(view, size) : { rows: dialogRows(state.dialog, size), cursor: null };
  const room = Math.max(0, size.height - bottom.rows.length);
  const seen = lastRows(view, room, size.width);
  const padding: Row[] = Array.from({ length: room - seen.length }, () => ({ text: '' }));
  const above = seen.length + padding.length;
  return {
    rows: [...seen, ...padding, ...bottom.rows].slice(0, size.height),
    cursor: bottom.cursor === null ? null : { row: above + bottom.cursor.row, column: bottom.cursor.column },
  };
}

/** Lays out only the last rows that fit, because the spinner redraws four times a second, also in a long conversation. */
function lastRows({ state, header }: View, room: number, width: number): Row[] {
  const rows: Row[] = [];
  for (const entry of state.entries.toReversed()) {
    if (rows.length >= room) break;
    rows.unshift(...entryRows(entry, width));
  }
  if (rows.length < room) rows.unshift(...header.map((text) => ({ text: cutTo(text, width) })));
  return room === 0 ? [] : rows.slice(-room);
}

function boxRows(view: View, size: Size): Frame {
  const rule: Row = { text: '─'.repeat(size.width), style: 'dim' };
  const above = [...queueRows(view.state, size), ...spinnerRows(view, size)];
  const box = draftRows(view.state, size);
  const rows = [...above, rule, ...box.rows, rule, { text: cutTo(footer(view), size.width), style: 'dim' as const }];
  return { rows, cursor: box.cursor === null ? null : { row: above.length + 1 + box.cursor.row, column: box.cursor.column } };
}

function queueRows(state: State, size: Size): Row[] {
  const shown = state.queue.slice(-QUEUE_ROWS);
  return shown.map((text) => ({ text: cutTo(`❯ ${displayable(text).replaceAll('\n', ' ')}`, size.width), style: 'dim' }));
}

function spinnerRows({ state, now }: View, size: Size): Row[] {
  if (state.busySince === null) return [];
  const ms = Math.max(0, now - state.busySince);
  const glyph = SPINNER[Math.floor(ms / 250) % SPINNER.length] ?? '·';
  return [{ text: cutTo(`${glyph} Working… (${Math.floor(ms / 1_000)}s)`, size.width) }, { text: '' }];
}

function draftRows({ draft }: State, size: Size): Frame {
  const width = Math.max(1, size.width - 3);
  const [before, after] = shownParts(draft).map(displayable);
  const lines = wrapHard(`${before}${after}`, width);
  const lead = wrapHard(before ?? '', width);
  const cursorRow = lead.length - 1;
  const most = Math.max(1, Math.floor(size.height / 3));
  const first = Math.max(0, Math.min(lines.length - most, cursorRow));
  const rows = lines.slice(first, first + most).map((text, index) => ({ text: `${index === 0 ? PROMPT : '  '}${text}` }));
  return { rows, cursor: { row: cursorRow - first, column: 2 + widthOf(lead.at(-1) ?? '') } };
}

function footer({ state, now }: View): string {
  const busy = state.busySince === null ? [] : ['esc to interrupt'];
  if (state.leaveUntil !== null && now <= state.leaveUntil) return ['  Press Ctrl-C again to exit', ...busy].join(' · ');
  const folded = state.draft.cells.some((cell) => typeof cell !== 'string') ? ['long paste folded'] : [];
  const waits = state.continuesAt === null ? [] : [`continuing by itself at ${new Date(state.continuesAt).toISOString()}`];
  return ['  demo agent', ...busy, ...waits, ...folded, '/exit to leave'].join(' · ');
}
