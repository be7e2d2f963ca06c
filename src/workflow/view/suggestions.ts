import { commandLine } from '../../base/shell-quote.ts';
import type { ErrorRecord } from '../../recovery/error-record.ts';
import { remediationSteps } from '../../recovery/errors/error-texts.ts';
import { openQuestions } from '../control/choose-answer.ts';
import type { Run } from '../model/run.ts';
import { stepsIn } from '../model/stage-at.ts';
import type { RunCondition, Wait } from './waits.ts';

/** What a person can do about a run, the most useful first: sentences, and commands to type. `errors`: those that the run has not dealt with. */
export function suggestionsFor(run: Run, status: RunCondition, errors: readonly ErrorRecord[], waits: readonly Wait[]): readonly string[] {
  const hasEnded = run.clock.endedMs !== null;
  // A question that was open when the run ended takes no answer any more.
  const asked = openQuestions(run).length > 0 && !hasEnded ? [`Decide: ${commandLine('llmc', 'decide', run.id)}`] : [];
  const reviews = waits.flatMap((wait) =>
    wait.kind === 'review' ? [`Review the work: ${commandLine('llmc', 'review', wait.worker)}`] : [],
  );
  // What was left out has no result to check: it stands among the losses.
  const marked = stepsIn(run).filter(({ marks, state }) => marks.length > 0 && state.kind === 'done');
  const checks = marked.map(({ address, marks }) => `Check the result of ${address} yourself: it is marked ${marks.join(', ')}.`);
  // One per code is enough, and failures that the run has dealt with need nothing. A question of an agent has its answer, or is open above.
  const failed = errors.filter(({ code }) => code !== 'AGENT_BLOCKED');
  const open = status === 'done' ? [] : [...new Map(failed.map((error) => [error.code, error])).values()];
  const paused = status === 'paused' ? [`Let it go on: ${commandLine('llmc', 'resume', run.id)}`] : [];
  const ended = status === 'failed' || status === 'aborted' ? [`Let it go on: ${commandLine('llmc', 'recover', run.id, '--dry-run')}`] : [];
  return [...new Set([...asked, ...reviews, ...checks, ...open.flatMap((error) => remediationSteps(error, run.id)), ...paused, ...ended])];
}
