import { visibleLine } from '../../base/visible-text.ts';
import { contentLines, landingIn, topOf } from '../model/pane.ts';
import { TABS, type Tab, type View } from '../model/view.ts';
import { apart, cutLine, fitRows, span } from '../screen/fit.ts';
import type { Line, Size } from '../screen/line.ts';
import { runningLine } from './running-line.ts';

/** The tabs, and the content of the one in front. */
export function drawPane(view: View, size: Size): readonly Line[] {
  const landing = landingIn(view);
  const note: readonly Line[] = landing === undefined ? [] : [cutLine(runningLine(landing), size.columns)];
  const content = { columns: size.columns, rows: Math.max(0, size.rows - 1 - note.length) };
  const name = view.selected?.replace(/^[a-z]+:/, '') ?? '';
  const tabs = apart(tabsLine(view), [span(visibleLine(name), { bold: true })], size.columns);
  return fitRows([tabs, ...note, ...drawContent(view, content)], size.rows);
}

const GAP = ' ';

function tabsLine({ tab, focus }: View): Line {
  return TABS.flatMap((each) => [
    span(` ${each} `, each === tab ? { inverse: focus === 'pane', bold: true, underline: focus !== 'pane' } : { dim: true }),
    span(GAP),
  ]);
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
  const { pane, selected, now, report } = view;
  if (selected === undefined)
    return report === undefined
      ? []
      : [
          [
            span(view.filter === '' ? 'No workers yet. n: a task, and a worker for it' : 'Nothing matches. esc ends the filter', {
              dim: true,
            }),
          ],
        ];
  if (pane === undefined || pane.of !== selected) return [];
  const top = pane.content.kind === 'diff' ? 0 : topOf(view, pane);
  return contentLines(pane.content, size, now)
    .slice(top, top + size.rows)
    .map((line) => cutLine(line, size.columns));
}
