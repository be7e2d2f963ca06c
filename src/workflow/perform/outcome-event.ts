import { commandLine } from '../../base/shell-quote.ts';
import { errorRecord } from '../../recovery/error-record.ts';
import type { OutcomeReport } from '../../store/tables/tasks.ts';
import type { AboutAction } from '../model/event.ts';

/** What a worker reported about a task, as an event of its run; null if the run knows it already. */
export function outcomeEvent({ seq, task: action, run, worker, outcome, at_ms: at }: OutcomeReport): AboutAction | null {
  const error = { id: `${run}.report-${seq}`, component: worker, at };
  switch (outcome.kind) {
    case 'started':
    case 'busy':
    case 'answered':
    case 'unparked':
    case 'lost':
      return { kind: outcome.kind, action };
    case 'parked':
      return { kind: 'parked', action, ...(outcome.limit && { limit: { untilMs: outcome.until_ms } }) };
    // Whether the result is there, the collection finds out: it can say what is wrong with it.
    case 'finished':
    case 'stopped':
      return { kind: 'finished', action };
    case 'asked':
      return {
        kind: 'asked',
        action,
        question: [outcome.question, ...outcome.choices.map((choice) => `- ${choice}`)].join('\n'),
        ...(outcome.terminal === true && { terminal: worker }),
      };
    case 'crashed': {
      const code = outcome.how === 'cannot_start' ? 'AGENT_SPAWN_FAILED' : 'AGENT_CRASHED';
      const { how, status = null, screen: output, said = '' } = outcome;
      const context = { how, status, output };
      const details = said.trim() === '' ? null : said;
      return { kind: 'crashed', action, error: errorRecord({ ...error, code, message: outcome.why, details, context }) };
    }
    case 'failed':
      return { kind: 'failed', action, error: errorRecord({ ...error, ...toFailure(worker, outcome) }) };
    case 'landed':
      return { kind: 'landed', action, commit: outcome.commit };
    case 'rejected':
      return { kind: 'rejected', action, feedback: outcome.feedback };
    case 'halted':
      return null;
  }
}

/** A person reads in the question what only a person can do. */
function toFailure(worker: string, { code, error, message }: Extract<OutcomeReport['outcome'], { kind: 'failed' }>) {
  const details = error === 'auth' ? `Log in: ${commandLine('llmc', 'attach', worker)}` : null;
  return { code, message, details, context: { ...(error !== null && { agentError: error }) } };
}
