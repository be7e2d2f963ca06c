import { visibleIn } from '../../base/visible-text.ts';
import type { WorkerReport } from '../../supervisor/report/status-report.ts';
import { rewrapped } from '../../tui/diff/draw/head.ts';
import type { PaneContent } from '../../tui/model/view.ts';
import { linesFromSgr } from '../../tui/screen/from-sgr.ts';
import { wrapText } from '../../tui/screen/wrap.ts';
import type { PaneSource, Wanted } from './wanted.ts';

/** Loads what the pane should show, and goes on as long as it changes by itself. */
export async function loadPane(wanted: Wanted, source: PaneSource): Promise<void> {
  const { item, tab } = wanted;
  const show = (content: PaneContent) => source.dispatch({ kind: 'pane', of: item.key, tab, content });
  switch (item.kind) {
    case 'run': {
      const { runPane } = await import('./live/run-pane.ts');
      return show(await runPane(source.shell, item.run.id));
    }
    case 'question': {
      const [{ questionLines }, { withApprovedWork: withWork, workLines }] = await Promise.all([
        import('../runs/text/question-lines.ts'),
        import('../runs/approved-work.ts'),
      ]);
      const [question] = await withWork(source.shell, [item.question]);
      if (question === undefined) return;
      const work = linesFromSgr(workLines(visibleIn(question), true));
      const { atRoot } = source.shell;
      return show({
        kind: 'text',
        make: ({ columns }, now) => [
          ...questionLines(question, now, { columns, atRoot, whole: true }).flatMap((line) => wrapText(line, columns)),
          ...(work.length === 0 ? [] : [[], ...work.flatMap((line) => rewrapped(line, columns))]),
        ],
      });
    }
    case 'worker':
      return await loadWorker(item.worker, wanted, source, show);
  }
}

async function loadWorker(worker: WorkerReport, wanted: Wanted, source: PaneSource, show: (content: PaneContent) => void): Promise<void> {
  const { shell, signal } = source;
  const { item, ignoreWhitespace, withEvidence } = wanted;
  switch (wanted.tab) {
    case 'screen': {
      const { followScreen: screenOf } = await import('./live/follow-screen.ts');
      for await (const lines of screenOf(shell, worker.name, wanted.size, signal)) show({ kind: 'text', make: () => lines });
      return;
    }
    case 'diff': {
      const { readShownWork: workOf } = await import('./live/read-shown-work.ts');
      const isToReview = item.kind === 'worker' && item.group === 'to review';
      return source.dispatch({ kind: 'work', of: item.key, ...(await workOf(shell, { worker, isToReview, ignoreWhitespace })) });
    }
    case 'why': {
      const [{ readWhyShown: whyOf }, { drawWhy }] = await Promise.all([
        import('./live/worker-panes.ts'),
        import('../../tui/panes/draw-why.ts'),
      ]);
      const why = await whyOf(shell, worker.name);
      return show({ kind: 'text', make: (size, now) => drawWhy(why(now), size, withEvidence) });
    }
    case 'talk': {
      const [panes, { drawConversation }] = await Promise.all([
        import('./live/worker-panes.ts'),
        import('../../tui/panes/draw-conversation.ts'),
      ]);
      const said = await panes.readTurns(shell, worker.name);
      return show({ kind: 'text', fromEnd: true, make: (size, now) => drawConversation(said, size, now) });
    }
    case 'log': {
      const [{ readHistory: logOf }, { drawLog }] = await Promise.all([
        import('./live/worker-panes.ts'),
        import('../../tui/panes/draw-log.ts'),
      ]);
      const entries = await logOf(shell, worker.name);
      return show({ kind: 'text', fromEnd: true, make: (size, now) => drawLog(entries, size, now) });
    }
  }
}
