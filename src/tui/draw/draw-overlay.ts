import { visibleLine } from '../../base/visible-text.ts';
import { findChoices } from '../model/choices.ts';
import { type Mode, makeRootPrefix, selectedIn, type View } from '../model/view.ts';
import { cutLine, fitLine, fitRows, span } from '../screen/fit.ts';
import type { Line, Size } from '../screen/line.ts';
import { wrapText } from '../screen/wrap.ts';
import { costLines } from './draw-costs.ts';
import { helpLines } from './draw-help.ts';
import { queueLines } from './draw-queue.ts';
import { rootLines } from './draw-roots.ts';

/** What covers the body; undefined if nothing does. */
export function drawOverlay(view: View, size: Size): readonly Line[] | undefined {
  const overlay = makeOverlay(view, view.mode, size);
  if (overlay === undefined) return undefined;
  const { title, lines, top } = overlay;
  const room = Math.max(1, size.rows - 1);
  const first = Math.max(0, Math.min(top, lines.length - room));
  const more = lines.length - first - room;
  const head = fitLine([span(` ${title}`, { bold: true }), span(more > 0 ? `  ${more} more lines` : '', { dim: true })], size.columns);
  const shown = lines.slice(first, first + room).map((line) => cutLine(line, size.columns));
  return fitRows([head.map((each) => ({ ...each, style: { ...each.style, underline: true } })), ...shown], size.rows);
}

interface Overlay {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly top: number;
}

function makeOverlay(view: View, mode: Mode, { columns, rows }: Size): Overlay | undefined {
  switch (mode.kind) {
    case 'browse':
    case 'typing':
      return undefined;
    case 'help':
      return { title: 'keys, and the command that does the same', lines: helpLines(columns), top: mode.top };
    case 'costs':
      return { title: 'what the agents use', lines: costLines(view), top: mode.top };
    case 'output':
      return { title: mode.title, lines: wrapText(mode.text, columns), top: mode.top };
    case 'choice':
      return { ...choiceLines(view, mode.marked, columns), top: mode.top };
    case 'queue':
      return placed(queueLines(mode, view.now, { columns, rows }), makeRootPrefix(view, view.root));
    case 'roots':
      return rootLines(view, mode.marked, { columns, rows });
    case 'confirm':
      return makeOverlay(view, mode.below, { columns, rows });
  }
}

const placed = (overlay: Overlay, place: string): Overlay => ({ ...overlay, title: `${visibleLine(place)}${overlay.title}` });

/** The whole question, then its answers with the marked one. */
function choiceLines(view: View, marked: readonly number[], columns: number): Omit<Overlay, 'top'> {
  const choices = findChoices(selectedIn(view));
  if (choices === undefined) return { title: 'The question is no longer open.', lines: [] };
  const { title, command, text, options, several } = choices;
  const shownCommand = command === null ? [] : [...wrapText(command, columns - 2, { bold: true }).map(indented), []];
  const answers = options.map((option, index): Line => {
    const isMarked = marked.includes(index + 1);
    const mark = several ? (isMarked ? '[x]' : '[ ]') : isMarked ? '▶' : ' ';
    return [span(`${mark} ${index + 1} ${wrapText(option, columns)[0]?.[0]?.text ?? ''}`, isMarked ? { inverse: true } : {})];
  });
  const hint: readonly Line[] = several
    ? [[], [span('  Several may be chosen: each number marks one, enter sends them.', { dim: true })]]
    : [];
  return { title, lines: [[], ...shownCommand, ...wrapText(text, columns - 2).map(indented), [], ...answers, ...hint] };
}

const indented = (line: Line): Line => [span('  '), ...line];
