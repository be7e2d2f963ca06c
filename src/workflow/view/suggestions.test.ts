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
