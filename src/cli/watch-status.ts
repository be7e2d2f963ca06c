import { Notified } from '../supervisor/report/notified.ts';
import { systemClock } from '../system/clock.ts';
import { ringFor } from './bell.ts';
import { interruption } from './interruption.ts';
import { readStatus } from './owner/read-status.ts';
import type { Shell } from './shell.ts';
import { fitScreen } from './text/fit-screen.ts';
import { statusText } from './text/status-text.ts';

const EVERY_MS = 1_000;

/** Redraws the status on a terminal; elsewhere, or with --json, prints it whenever it changes. */
export async function watchStatus(shell: Shell): Promise<void> {
  const signal = interruption();
  const redraw = shell.isInteractive;
  const notified = new Notified();
  for (let last = ''; !signal.aborted; ) {
    const report = await readStatus(shell);
    for (const worker of report.workers) {
      // Do not ring for the first report, nor when the supervisor goes down.
      const attention = worker.attention && { kind: worker.attention_kind, text: worker.attention };
      if (notified.note(worker, attention || null) && last !== '' && worker.status !== 'offline') await ringFor(shell, worker.name);
    }
    const shown = shell.options.json ? JSON.stringify(report) : statusText(report, systemClock.now(), shell.display);
    if (redraw) draw(shown);
    else if (shown !== last) shell.out(shown);
    last = shown;
    await systemClock.sleep(EVERY_MS, signal).catch(() => undefined);
  }
}

/** Switches off the line wrapping of the terminal, which would break words. Long lines are cut at the right edge. */
function draw(text: string): void {
  const { columns = 80, rows = 24 } = process.stdout;
  process.stdout.write(`\u001b[?7l\u001b[H\u001b[2J${fitScreen(text, columns, rows)}\n\u001b[?7h`);
}
