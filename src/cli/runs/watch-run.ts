import { commandLine } from '../../base/shell-quote.ts';
import { jsonText, visibleIn } from '../../base/visible-text.ts';
import { systemClock } from '../../system/clock.ts';
import { interruption } from '../interruption.ts';
import { redraw } from '../output.ts';
import type { Shell } from '../shell.ts';
import { terminalSize } from '../terminal-size.ts';
import { fitScreen } from '../text/fit-screen.ts';
import { readRunView } from './read-runs.ts';
import { withAgents } from './run-agents.ts';
import { showText } from './text/show-text.ts';

const EVERY_MS = 1_000;

/** Redraws a run on a terminal until it ends or Ctrl+C; elsewhere, or with --json, prints it whenever it changes. */
export async function watchRun(shell: Shell, id: string): Promise<void> {
  const signal = interruption();
  for (let last = ''; !signal.aborted; ) {
    const view = await withAgents(shell, await readRunView(shell, id));
    const shown = shell.options.json ? jsonText(view) : showText(visibleIn(view), systemClock.now(), shell.display);
    if (shell.isInteractive) redraw(fitScreen(shown, terminalSize(process.stdout), commandLine('llmc', 'show', id)));
    else if (shown !== last) shell.out(shown);
    last = shown;
    if (view.ended_ms !== null) return;
    await systemClock.sleep(EVERY_MS, signal).catch(() => undefined);
  }
}
