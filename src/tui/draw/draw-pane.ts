import { cutToWidth } from '../../base/text-width.ts';
import { visibleLine } from '../../base/visible-text.ts';
import { makeFrame } from '../diff/draw/frame.ts';
import { foundIn, highlighted, matchesIn } from '../model/find.ts';
import { nameItem } from '../model/item.ts';
import { chooseTopLine, contentLines, landingIn, landsElsewhere } from '../model/pane.ts';
import { makeRootPrefix, reportIn, selectedIn, TABS, type Tab, type View } from '../model/view.ts';
import { apart, cutLine, fitRows, span } from '../screen/fit.ts';
import type { Line, Size } from '../screen/line.ts';
import { runningLine } from './running-line.ts';

/** The tabs, and the content of the one in front. */
export function drawPane(view: View, size: Size): readonly Line[] {
  const note = drawNote(view).map((line) => cutLine(line, size.columns));
  const content = { columns: size.columns, rows: Math.max(0, size.rows - 1 - note.length) };
  const item = selectedIn(view);
  const name = item === undefined ? '' : `${makeRootPrefix(view, item.root)}${nameItem(item)}`;
  const tabs = apart(tabsLine(view), [...stateSpans(view), span(visibleLine(name), { bold: true })], size.columns);
  return fitRows([tabs, ...note, ...drawContent(view, content)], size.rows);
}

/** That the work in the pane is landing. */
function drawNote(view: View): readonly Line[] {
  const landing = landingIn(view);
  if (landing !== undefined) return [runningLine(landing)];
  const elsewhere = landsElsewhere(view);
  return elsewhere === undefined ? [] : [[span(visibleLine(elsewhere), { color: 'cyan' })]];
}

const GAP = ' ';

function tabsLine({ tab, focus }: View): Line {
  return TABS.flatMap((each) => [
    span(` ${each} `, each === tab ? { inverse: focus === 'pane', bold: true, underline: focus !== 'pane' } : { dim: true }),
    span(GAP),
  ]);
}

/** What is searched, and that the pane has the whole screen. */
function stateSpans(view: View): Line {
  const found = foundIn(view);
  const { count, at } = matchesIn(view);
  return [
    ...(found === undefined ? [] : [span(`/${cutToWidth(visibleLine(found.text), 16)} ${at}/${count} `, { color: 'yellow', bold: true })]),
    ...(view.zoomed ? [span('zoomed · ', { dim: true })] : []),
  ];
}

/** The tab at a column of the pane. */
export function tabAt(column: number): Tab | undefined {
  let left = 0;
  for (const tab of TABS) {
    left += tab.length + 2 + GAP.length;
    if (column < left) return tab;
  }
  return undefined;
}

function drawContent(view: View, size: Size): readonly Line[] {
  const { pane, selected, now } = view;
  if (selected === undefined)
    return reportIn(view) === undefined
      ? []
      : [
          [
            span(view.filter === '' ? 'No workers yet. n: a task, and a worker for it' : 'Nothing matches. esc ends the filter', {
              dim: true,
            }),
          ],
        ];
  if (pane === undefined || pane.of !== selected) return [];
  const found = foundIn(view);
  const top = pane.content.kind === 'diff' ? 0 : chooseTopLine(view, pane);
  // The head of a diff is not searched.
  const above = pane.content.kind === 'diff' ? makeFrame(pane.content.diff, size).headRows : 0;
  return contentLines(pane.content, size, now)
    .slice(top, top + size.rows)
    .map((line, row) => cutLine(found === undefined || row < above ? line : highlighted(line, found.text), size.columns));
}
