import { jsonText, visibleIn } from '../base/visible-text.ts';
import { Notified } from '../supervisor/report/notified.ts';
import { systemClock } from '../system/clock.ts';
import { ringFor } from './bell.ts';
import { interruption } from './interruption.ts';
import { redraw } from './output.ts';
import { readStatus } from './owner/read-status.ts';
import type { Shell } from './shell.ts';
import { fitScreen } from './text/fit-screen.ts';
import { statusText } from './text/status-text.ts';

const EVERY_MS = 1_000;

/** Redraws the status on a terminal; elsewhere, or with --json, prints it whenever it changes. */
export async function watchStatus(shell: Shell): Promise<void> {
  const signal = interruption();
  const notified = new Notified();
  for (let last = ''; !signal.aborted; ) {
    const report = await readStatus(shell);
    for (const worker of report.workers) {
      // Do not ring for the first report, nor when the supervisor goes down.
      const attention = worker.attention && { kind: worker.attention_kind, text: worker.attention };
      if (notified.note(worker, attention || null) && last !== '' && worker.status !== 'offline') await ringFor(shell, worker.name);
    }
    const shown = shell.options.json ? jsonText(report) : statusText(visibleIn(report), systemClock.now(), shell.display);
    if (shell.isInteractive) redraw(fitScreen(shown, process.stdout.columns, process.stdout.rows));
    else if (shown !== last) shell.out(shown);
    last = shown;
    await systemClock.sleep(EVERY_MS, signal).catch(() => undefined);
  }
}
