import { formatAge } from '../../base/duration.ts';
import { cutToWidth, measureWidth, padToWidth } from '../../base/text-width.ts';
import { visibleLine } from '../../base/visible-text.ts';
import { nameInWidth, statusInWords, workInWords } from '../../supervisor/report/worker-words.ts';
import { countedDrafts } from '../../workers/review/text/draft-words.ts';
import { countListRows, type ListItem, type ListRow, needsYou, type RootInView } from '../model/item.ts';
import { apart, cutLine, dress, fitLine, fitRows, span } from '../screen/fit.ts';
import type { Color, Line, Size } from '../screen/line.ts';
import { GROUP_COLORS } from './group-colors.ts';

export interface DrawnList {
  readonly rows: readonly ListRow[];
  readonly selected: string | undefined;
  readonly hasFocus: boolean;
  readonly now: number;
  /** The names of the roots, if several are shown. */
  readonly places?: ReadonlyMap<string, string>;
}

/** What one row of the list looks like: its lines, and which item they belong to. */
interface Block {
  readonly key: string | undefined;
  readonly lines: readonly Line[];
}

/** The part of the list around the selected item. Items have a second line if all of them fit with it. */
export function drawList(list: DrawnList, size: Size): readonly Line[] {
  return fitRows(
    cutWindow(list, size).flatMap(({ lines }) => lines),
    size.rows,
  );
}

/** The item on a row of the list, for a click. */
export function itemAt(list: DrawnList, size: Size, row: number): string | undefined {
  return cutWindow(list, size).flatMap(({ key, lines }) => lines.map(() => key))[row];
}

function cutWindow(list: DrawnList, size: Size): readonly Block[] {
  const isRoomy = countListRows(list.rows) <= size.rows;
  const blocks = list.rows.map((row) => drawBlock(row, list, size.columns, isRoomy));
  const at = blocks.findIndex(({ key }) => key !== undefined && key === list.selected);
  const fits = isRoomy ? blocks.length : size.rows;
  const first = Math.max(0, Math.min(at - Math.floor(fits / 2), blocks.length - fits));
  return blocks.slice(first, first + fits);
}

function drawBlock(row: ListRow, list: DrawnList, columns: number, isRoomy: boolean): Block {
  if (row.kind === 'heading') return { key: undefined, lines: [[span(row.text.toUpperCase(), { bold: true, dim: true })]] };
  if (row.kind === 'root') return { key: undefined, lines: [rootLine(row.root, columns)] };
  const { item } = row;
  const isSelected = item.key === list.selected;
  // The others stand below the name of their root.
  const place = needsYou(item) ? list.places?.get(item.root) : undefined;
  const cells = { ...toCells(item, list.now, nameRoom(columns)), place: place === undefined ? '' : `${oneLine(place)} ` };
  const lines = isRoomy ? [firstLine(cells, columns, cells.task), secondLine(cells, columns)] : [firstLine(cells, columns, both(cells))];
  return { key: item.key, lines: isSelected ? lines.map((line) => selectedLine(line, columns, list.hasFocus)) : lines };
}

/** The name of a root above its workers, and how it stands. */
function rootLine({ name, report, lost }: RootInView, columns: number): Line {
  const says =
    report?.supervisor.running === false
      ? span('supervisor not running: R starts it', { color: 'yellow' })
      : lost !== undefined
        ? span(visibleLine(lost), { color: 'red' })
        : span(report === undefined ? 'reading …' : report.workers.length === 0 ? 'no workers yet' : '', { dim: true });
  return cutLine([span(visibleLine(name), { bold: true, color: 'blue' }), span('  '), says], columns);
}

function selectedLine(line: Line, columns: number, hasFocus: boolean): Line {
  const style = hasFocus ? { inverse: true } : { bold: true, underline: false };
  const marked: Line = [span('▌', { color: 'blue', ...style }), ...dress(line, style).slice(1)];
  return fitLine(marked, columns, style);
}

interface Cells {
  readonly name: string;
  /** The name of its root, for a row among those that need a person: these stand together, whichever root they are in. */
  readonly place?: string;
  readonly status: string;
  readonly color: Color;
  readonly age: string;
  readonly task: string;
  readonly says: string;
}

const nameRoom = (columns: number): number => Math.min(18, Math.max(8, Math.floor(columns / 3)));

function toCells(item: ListItem, now: number, room: number): Cells {
  switch (item.kind) {
    case 'worker': {
      const { worker, group } = item;
      const isWork = group === 'to review' && worker.attention_kind !== 'answer';
      const status = isWork ? (worker.reviewed ? 'to review' : 'new work') : statusInWords(worker);
      const age = formatAge(now - worker.last_activity_unix * 1_000);
      return {
        name: nameInWidth(worker, room),
        status,
        color: GROUP_COLORS[group],
        age,
        task: oneLine(worker.current_prompt),
        says: [...(worker.draft_comments > 0 ? [countedDrafts(worker.draft_comments)] : []), oneLine(chooseWords(item))].join(' · '),
      };
    }
    case 'question': {
      const { run, number, text, asked_ms, type } = item.question;
      return { name: `${run}#${number}`, status: 'asks', color: 'yellow', age: formatAge(now - asked_ms), task: type, says: oneLine(text) };
    }
    case 'run': {
      const { id, status, stage, waiting_for, created_ms } = item.run;
      return { name: id, status, color: 'magenta', age: formatAge(now - created_ms), task: stage ?? '', says: oneLine(waiting_for) };
    }
  }
}

/** What the worker asks or waits for, else the last sentence of its agent, else what it does. */
function chooseWords({ worker, group }: ListItem & { kind: 'worker' }): string | null {
  if (worker.asks !== null) return worker.asks.command ?? worker.asks.question;
  if (worker.attention_kind === 'review' && worker.work !== null)
    return [workInWords(worker.work), lastSentence(worker.last_message)].filter((part) => part !== null).join(' · ');
  if (group === 'to review' || group === 'idle') return lastSentence(worker.last_message) ?? worker.attention;
  return worker.attention ?? worker.waiting ?? worker.activity.detail ?? lastSentence(worker.last_message);
}

function lastSentence(message: string | null): string | null {
  // The fence of a block of code says nothing.
  const lines = message?.split('\n').map((each) => each.trim()) ?? [];
  const line = lines.findLast((each) => each !== '' && !/^(`{3,}|~{3,})/.test(each)) ?? '';
  return line === '' ? null : (line.split(/(?<=[.!?])\s+/).at(-1) ?? line);
}

function oneLine(text: string | null): string {
  return text === null ? '' : visibleLine(text.trim());
}

function both({ task, says }: Cells): string {
  return [task, says].filter((text) => text !== '').join(' — ');
}

function firstLine({ name, place = '', status, color, age }: Cells, columns: number, rest: string): Line {
  const shownName = padToWidth(cutToWidth(name, nameRoom(columns)), Math.min(nameRoom(columns), 10));
  const left: Line = [span(' '), span(shownName, { bold: true }), span(' '), span(place, { color: 'blue' }), span(status, { color })];
  const used = measureWidth(shownName) + measureWidth(place) + measureWidth(status) + 2;
  const room = columns - used - age.length - 3;
  const task = room < 4 ? '' : cutToWidth(rest, room);
  return apart([...left, span(task === '' ? '' : `  ${task}`)], [span(` ${age}`, { dim: true })], columns);
}

function secondLine({ says }: Cells, columns: number): Line {
  return [span(' '), span(cutToWidth(says === '' ? '' : `  ${says}`, columns - 1), { dim: true })];
}
