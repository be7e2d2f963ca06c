import { sentence } from '../../base/sentence.ts';
import { drawDiff } from '../diff/draw/draw-diff.ts';
import { span } from '../screen/fit.ts';
import type { Line, Size } from '../screen/line.ts';
import { wrapText } from '../screen/wrap.ts';
import { countListRows, workerKey } from './item.ts';
import { arrangeView, contentSize, type ViewLayout } from './layout.ts';
import { type PaneContent, type Running, rowsIn, type ShownPane, selectedIn, type View } from './view.ts';

export function layoutIn(view: View): ViewLayout {
  return arrangeView(view.size, view.zoomed ? 'zoomed' : view.focus, countListRows(rowsIn(view)));
}

/** The room for the content of the pane, also while a small terminal shows the list. */
export function paneSize(view: View): Size {
  const { pane } = layoutIn(view);
  const { columns, rows } = contentSize(pane ?? arrangeView(view.size, 'pane', 0).pane);
  return { columns, rows: Math.max(0, rows - noteRows(view)) };
}

/** The accept of the work in the pane, while it is under way: a line above the work says so. */
export function landingIn({ running, selected, tab }: View): Running | undefined {
  if (tab !== 'diff') return undefined;
  return running.find(({ effect }) => effect.kind === 'accept' && workerKey(effect.root, effect.worker) === selected);
}

/** What is said about the selected work while another terminal lands it. */
export function landsElsewhere(view: View): string | undefined {
  const item = view.tab === 'diff' ? selectedIn(view) : undefined;
  if (item?.kind !== 'worker' || item.worker.attention_kind !== 'landing' || landingIn(view) !== undefined) return undefined;
  return item.worker.attention ?? undefined;
}

/** Whether the pane has the work that lands now: it stays there until that is over. */
export function keepsWork(view: View): boolean {
  return noteRows(view) > 0 && view.pane?.of === view.selected && view.pane?.content.kind === 'diff';
}

/** The rows between the tabs of the pane and its content. */
export const noteRows = (view: View): number => (landingIn(view) === undefined && landsElsewhere(view) === undefined ? 0 : 1);

/** Whether the pane is on the screen: a small terminal shows it only while it has the focus, and a text may cover it. */
export function isPaneVisible(view: View): boolean {
  return isUncovered(view) && layoutIn(view).pane !== undefined;
}

/** Whether no text covers the list and the pane. */
function isUncovered({ mode }: View): boolean {
  return mode.kind === 'browse' || mode.kind === 'typing' || (mode.kind === 'confirm' && mode.below.kind === 'browse');
}

/** Whether the selected item is on the screen: its content, if there is room for the pane. */
export function isItemVisible(view: View): boolean {
  if (!isUncovered(view)) return false;
  return !isPaneVisible(view) || (view.pane?.of === view.selected && view.pane?.content.kind !== 'loading');
}

export function contentLines(content: PaneContent, size: Size, now: number): readonly Line[] {
  switch (content.kind) {
    case 'loading':
      return [[span('loading …', { dim: true })]];
    case 'failed':
      return [
        ...wrapText(sentence(content.text), size.columns, { color: 'red' }),
        ...(content.hint === undefined ? [] : wrapText(`→ ${content.hint}`, size.columns)),
      ];
    case 'text':
      return content.make(size, now);
    case 'diff':
      return drawDiff(content.diff, size);
  }
}

/** Scrolls the pane, not beyond its last page. */
export function scrollPane(view: View, by: number): View {
  const { pane } = view;
  if (pane === undefined || pane.content.kind === 'diff') return view;
  const last = lastTop(view, pane);
  const top = Math.max(0, Math.min(last, chooseTopLine(view, pane) + by));
  return { ...view, pane: { ...pane, top, atEnd: top === last && by >= 0 } };
}

/** The first line of the pane that is visible. */
export function chooseTopLine(view: View, pane: ShownPane): number {
  return pane.atEnd ? lastTop(view, pane) : pane.top;
}

function lastTop(view: View, { content }: ShownPane): number {
  const size = paneSize(view);
  return Math.max(0, contentLines(content, size, view.now).length - size.rows);
}

/** The lines of a page, less two so that the eye finds its place. */
export function countPageLines(view: View): number {
  return Math.max(1, paneSize(view).rows - 2);
}
