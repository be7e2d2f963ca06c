import { Notified } from '../supervisor/report/notified.ts';
import { systemClock } from '../system/clock.ts';
import { ringFor } from './bell.ts';
import { interruption } from './interruption.ts';
import { readStatus } from './owner/read-status.ts';
import type { Shell } from './shell.ts';
import { fitScreen } from './text/fit-screen.ts';
import { statusText } from './text/status-text.ts';

const EVERY_MS = 1_000;

/** Redraws on a terminal; elsewhere, or with --json, prints a document whenever something changed. */
export async function watchStatus(shell: Shell): Promise<void> {
  const signal = interruption();
  const redraw = shell.isInteractive;
  const told = new Notified();
  for (let last = ''; !signal.aborted; ) {
    const report = await readStatus(shell);
    for (const worker of report.workers) {
      // What stood there at the first look needs no bell, and neither does a supervisor that goes down.
      const attention = worker.attention && { kind: worker.attention_kind, text: worker.attention };
      if (told.note(worker, attention || null) && last !== '' && worker.status !== 'offline') await ringFor(shell, worker.name);
    }
    const shown = shell.options.json ? JSON.stringify(report) : statusText(report, systemClock.now(), shell.paper);
    if (redraw) draw(shown);
    else if (shown !== last) shell.out(shown);
    last = shown;
    await systemClock.sleep(EVERY_MS, signal).catch(() => undefined);
  }
}

/** Without the terminal's own line breaks: they fall into words. A line that is too long ends at the edge. */
function draw(text: string): void {
  const { columns = 80, rows = 24 } = process.stdout;
  process.stdout.write(`\u001b[?7l\u001b[H\u001b[2J${fitScreen(text, columns, rows)}\n\u001b[?7h`);
}
