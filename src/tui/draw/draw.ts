import { layoutIn } from '../model/pane.ts';
import { rowsIn, shownRoots, type View } from '../model/view.ts';
import { fitLine, fitRows, span } from '../screen/fit.ts';
import type { Line } from '../screen/line.ts';
import { drawFoot } from './draw-foot.ts';
import { drawHead } from './draw-head.ts';
import { type DrawnList, drawList } from './draw-list.ts';
import { drawOverlay } from './draw-overlay.ts';
import { drawPane } from './draw-pane.ts';

/** The whole screen: one line for each of its rows. */
export function draw(view: View): readonly Line[] {
  const { head, foot } = layoutIn(view);
  const size = { columns: view.size.columns, rows: Math.max(0, view.size.rows - head - foot) };
  const body = drawOverlay(view, size) ?? drawBody(view);
  return fitRows([...drawHead(view, head), ...fitRows(body, size.rows), ...drawFoot(view, foot)], view.size.rows);
}

function drawBody(view: View): readonly Line[] {
  const { list, pane, divider } = layoutIn(view);
  const left = list && drawList(listIn(view), list);
  const right = pane && drawPane(view, pane);
  if (left === undefined || right === undefined) return left ?? right ?? [];
  if (divider === undefined) return [...left, ...right];
  return left.map((line, row) => [...fitLine(line, divider), span('│', { dim: true }), ...(right[row] ?? [])]);
}

export function listIn(view: View): DrawnList {
  const roots = shownRoots(view);
  const places = roots.length < 2 ? undefined : new Map(roots.map(({ root, name }) => [root, name]));
  return { rows: rowsIn(view), selected: view.selected, hasFocus: view.focus === 'list', now: view.now, ...(places && { places }) };
}
