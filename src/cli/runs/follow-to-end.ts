import type { RunView } from '../../workflow/view/run-view.ts';
import { ringFor } from '../bell.ts';
import { interruption, wasCtrlC } from '../interruption.ts';
import type { Shell } from '../shell.ts';
import { TerminalAnswers } from './answer-at-terminal.ts';
import { followRun } from './follow-run.ts';
import { openRuns } from './open-runs.ts';
import { pauseAtCtrlC } from './pause-at-ctrl-c.ts';
import { showText } from './text/show-text.ts';

/** The newest line of a run's history: what comes after it is news. */
export async function newestLine({ layout }: Shell, run: string): Promise<number> {
  using opened = openRuns(layout);
  return (await opened.records.history(run)).at(-1)?.seq ?? 0;
}

interface Begun {
  /** The sentence that says what has just begun. */
  readonly begun: string;
  /** The line of the history after which it began. */
  readonly after: number;
}

/**
 * Prints what happens in a run until it ends or needs the person, whose answers it takes on a terminal. Ctrl+C pauses the run. Sets
 * the exit status of the command.
 */
export async function followToEnd(shell: Shell, run: string, { begun, after }: Begun): Promise<RunView> {
  // Before the line that names it: a person may press it at once.
  const signal = interruption();
  shell.say(`${begun} Ctrl+C pauses it; it goes on without this terminal: llmc show ${run} --watch`);
  const answers = new TerminalAnswers(shell, signal);
  const until = async (now: RunView) => now.status !== 'running' && !(await answers.ask(now));
  const followed = await followRun(shell, run, { until, tell: true, after }, signal);
  const isCancelled = signal.aborted && followed.status === 'running' && wasCtrlC();
  const view = isCancelled ? await pauseAtCtrlC(shell, run) : followed;
  if (view.status === 'paused' || (signal.aborted && view.status === 'running')) {
    process.exitCode = 130;
    return view;
  }
  if (view.status === 'failed' || view.status === 'aborted') process.exitCode = 2;
  if (!answers.hasAsked) await ringFor(shell, run);
  return view;
}

export function followedText(view: RunView, { display }: Shell): string {
  const shown = { ...view, agents: null, supervised: true, problems: [] };
  const text = showText(shown, Date.now(), { ...display, atRoot: (line) => line });
  const { id: name } = view;
  return view.status === 'running' ? `${text}\n${name} goes on without this terminal: llmc show ${name} --watch` : text;
}
