import { jsonText, visibleIn } from '../base/visible-text.ts';
import { Notified } from '../supervisor/report/notified.ts';
import type { StatusReport } from '../supervisor/report/status-report.ts';
import { systemClock } from '../system/clock.ts';
import { ringFor } from './bell.ts';
import { interruption } from './interruption.ts';
import { redraw } from './output.ts';
import type { Shell } from './shell.ts';
import { terminalSize } from './terminal-size.ts';
import { fitScreen } from './text/fit-screen.ts';
import { statusText } from './text/status-text.ts';
import { followRoot } from './ui/live/follow-root.ts';

/** The text contains ages. */
const EVERY_MS = 1_000;

/** Redraws the status on a terminal; elsewhere, or with --json, prints it whenever it changes. */
export async function watchStatus(shell: Shell): Promise<void> {
  const signal = interruption();
  const notified = new Notified();
  let shown = '';
  let report: StatusReport | undefined;
  const draw = () => {
    if (report === undefined) return;
    const last = shown;
    shown = shell.options.json ? jsonText(report) : statusText(visibleIn(report), systemClock.now(), shell.display);
    if (shell.isInteractive) redraw(fitScreen(shown, terminalSize(process.stdout)));
    else if (shown !== last) shell.out(shown);
  };
  const ages = setInterval(draw, EVERY_MS);
  try {
    for await (const followed of followRoot(shell, signal)) {
      if (followed.kind === 'lost') continue;
      const isFirst = report === undefined;
      report = followed.report;
      for (const worker of report.workers) {
        // Do not ring for the first report, nor when the supervisor goes down.
        const attention = worker.attention && { kind: worker.attention_kind, text: worker.attention };
        if (notified.note(worker, attention || null) && !isFirst && worker.status !== 'offline') await ringFor(shell, worker.name);
      }
      draw();
    }
  } finally {
    clearInterval(ages);
  }
}
