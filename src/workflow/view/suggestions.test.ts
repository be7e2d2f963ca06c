import { expect, test } from 'vitest';
import { errorRecord } from '../../recovery/error-record.ts';
import { Story } from '../next/samples.ts';
import { suggestionsFor } from './suggestions.ts';

const ANSWER = 'Decide: llmc decide swarm-1';

/** An agent asks something. */
function asking(): Story {
  const story = new Story().tell({ kind: 'started', action: 'swarm-1.1' });
  return story.tell({ kind: 'asked', action: 'swarm-1.1', question: 'Which port?' });
}

const errorsOf = ({ records }: Story) => records.flatMap((record) => (record.kind === 'error' ? [record.error] : []));

test('the question of an agent is suggested as long as it is open, once', () => {
  const story = asking();
  expect(suggestionsFor(story.run, 'waiting', errorsOf(story), [])).toEqual([ANSWER]);
  story.tell({ kind: 'answered', action: 'swarm-1.1' });
  expect(suggestionsFor(story.run, 'running', errorsOf(story), [])).toEqual([]);
});

test.each([
  ['auth', 'Log in: llmc attach swarm-1-researcher'],
  ['billing', 'Check the credit and the plan of its account.'],
  ['context_full', 'Make the task smaller: the conversation of the agent is full.'],
  ['invalid_request', 'Check the agent and its account: llmc doctor'],
])('an agent that cannot work (%s) gets another advice than to answer: %s', (error, step) => {
  const unusable = errorRecord({
    id: 'x',
    code: 'AGENT_UNUSABLE',
    message: 'm',
    component: 'swarm-1-researcher',
    at: 0,
    context: { agentError: error },
  });
  const recorded = { ...unusable, context: {}, cause: unusable };
  expect(suggestionsFor(new Story().run, 'running', [recorded], [])).toEqual([step]);
});

test('what cannot be done is not suggested: to answer when the run has ended, and to check a result that nobody made', () => {
  const { run } = asking();
  const ended = { ...run, status: 'failed', clock: { ...run.clock, endedMs: run.clock.startedMs + 1 } } as const;
  expect(suggestionsFor(ended, 'failed', [], [])).toEqual(['Let it go on: llmc recover swarm-1 --dry-run']);

  const skipped = new Story().crash('research').tell({ kind: 'tick' }, 60_000).crash('research').tell({ kind: 'tick' }, 60_000);
  skipped.tell({ kind: 'decided', escalation: 1, option: 'skip', text: null });
  expect(skipped.run.steps.research).toMatchObject({ state: { kind: 'skipped' }, marks: ['partial'] });
  expect(suggestionsFor(skipped.run, 'running', [], [])).toEqual([]);
});
