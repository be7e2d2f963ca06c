import { LlmcError } from '../../base/error.ts';
import { sentence } from '../../base/sentence.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { nearest } from '../../config/nearest.ts';
import { systemClock } from '../../system/clock.ts';
import type { RunView } from '../../workflow/view/run-view.ts';
import { ringFor } from '../bell.ts';
import { interruption } from '../interruption.ts';
import type { Shell } from '../shell.ts';
import { followRun } from './follow-run.ts';

const CONDITIONS: readonly string[] = ['running', 'waiting', 'paused', 'done', 'failed', 'aborted'];

/** The statuses of runs in a comma-separated list; by default those of a run that has ended or needs a person. */
export function runStatuses(words: string | undefined): readonly string[] {
  const wanted = words?.split(',').map((word) => word.trim()) ?? CONDITIONS.filter((word) => word !== 'running');
  const unknown = wanted.find((word) => !CONDITIONS.includes(word));
  if (unknown !== undefined) throw unknownStatus(unknown);
  return wanted;
}

/** Waits until a run has one of these statuses. */
export async function waitForRun(shell: Shell, id: string, wanted: readonly string[], timeoutMs: number): Promise<RunView> {
  const until = ({ status }: RunView) => wanted.includes(status);
  const signal = interruption();
  const view = await followRun(shell, id, { until, tell: false, deadline: systemClock.now() + timeoutMs }, signal);
  if (until(view)) {
    if (view.status === 'waiting') await ringFor(shell, id);
    return view;
  }
  if (signal.aborted) throw new LlmcError('CANCELLED', `${id} is ${view.status}`, { hint: commandLine('llmc', 'show', id) });
  throw new LlmcError('WAIT_TIMEOUT', `${id} is still ${view.status}`, { hint: commandLine('llmc', 'why', id) });
}

function unknownStatus(word: string): LlmcError {
  const close = nearest(word, CONDITIONS);
  const meant = close === undefined ? '' : `; did you mean "${close}"?`;
  return new LlmcError('INVALID_ARGUMENT', `a run has no status "${word}"${meant}`, { hint: `Use: ${CONDITIONS.join(', ')}` });
}

export function reachedText({ id, status, waiting_for: what }: RunView): string {
  const verb =
    status === 'waiting' ? 'decide' : status === 'paused' ? 'resume' : status === 'failed' || status === 'aborted' ? 'report' : undefined;
  const next = verb === undefined ? '' : ` ${commandLine('llmc', verb, id)}`;
  return `${sentence(`${id} ${WORDS[status]}${what === null ? '' : `: ${what.split('\n', 1)[0]}`}`)}${next}`;
}

const WORDS: Readonly<Record<RunView['status'], string>> = {
  running: 'is running',
  waiting: 'waits for you',
  paused: 'is paused',
  done: 'is done',
  failed: 'has failed',
  aborted: 'was aborted',
};
