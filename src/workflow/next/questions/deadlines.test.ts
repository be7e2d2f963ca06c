import { describe, expect, test } from 'vitest';
import { errorRecord } from '../../../recovery/error-record.ts';
import { DEFAULT_ANSWERS } from '../../policy.ts';
import { command, forEach, review, Story, swarmPlan, work } from '../samples.ts';
import { wakeAt } from '../time/wake-at.ts';
import { NEVER_ALONE } from './deadlines.ts';

const MINUTE = 60_000;
const ANSWERS = { answers: DEFAULT_ANSWERS };
const slow = () =>
  swarmPlan((stages) =>
    stages.map((stage) =>
      stage.id === 'research'
        ? { ...stage, timeoutMs: 60 * MINUTE, onFailure: { timeout: { after: 1, steps: [{ kind: 'ask', options: [] }] } } }
        : stage,
    ),
  );

/** The research takes too long, and a person is asked. */
function late(policy = {}): Story {
  const story = new Story(slow(), { ...ANSWERS, ...policy });
  story.tell({ kind: 'started', action: story.action('research') });
  return story.tick(60 * MINUTE);
}

describe('a question with a default', () => {
  test('says half-way, once, that it will answer itself', () => {
    const story = late();
    expect(story.run.escalations).toMatchObject([{ type: 'timeout', deadline: { option: 'extend', at: story.at + 5 * MINUTE } }]);
    expect(wakeAt(story.run, story.policy, story.at)).toBeLessThanOrEqual(story.at + 2.5 * MINUTE);
    const warnings = () => story.records.filter((record) => record.kind === 'history' && record.text.includes('by itself soon')).length;
    story.tick(2 * MINUTE);
    expect(warnings()).toBe(0);
    story.tick(MINUTE).tick(MINUTE);
    expect(warnings()).toBe(1);
    expect(story.states()).toMatchObject({ research: 'asking' });
  });

  test('takes it when nobody answers, says so in its history, and marks the result', () => {
    const story = late().tick(5 * MINUTE);
    expect(story.run.escalations).toMatchObject([{ answer: { option: 'extend', by: 'default' } }]);
    expect(story.run.steps.research?.marks).toEqual(['by default: extend']);
    expect(story.records).toContainEqual({ kind: 'history', step: 'research', text: 'nobody answered #1 in time: extend' });
    // Half of the time of the stage again.
    expect(story.run.steps.research?.state).toMatchObject({ kind: 'working', deadline: { at: story.at + 30 * MINUTE } });
  });

  test('extends the time of an agent at work as often as nobody answers, and never ends the agent', () => {
    const story = late();
    for (const each of [1, 2, 3]) {
      expect(story.run.escalations).toHaveLength(each);
      expect(story.run.escalations.at(-1)).toMatchObject({ type: 'timeout', deadline: { option: 'extend', at: story.at + 5 * MINUTE } });
      story.tick(5 * MINUTE);
      expect(story.run.escalations.at(-1)).toMatchObject({ answer: { option: 'extend', by: 'default' } });
      story.tick(30 * MINUTE);
    }
    expect(story.actions.filter(({ step, task }) => step === 'research' && task.kind === 'attempt')).toHaveLength(1);
  });

  test('extends shell lines once: then a person decides', () => {
    const timeout = { after: 1, steps: [{ kind: 'ask', options: [] }] } as const;
    const plan = { ...swarmPlan(), stages: [command('tests', { timeoutMs: 60 * MINUTE, onFailure: { timeout } })] };
    const story = new Story(plan, ANSWERS);
    story.tell({ kind: 'started', action: story.action('tests') }).tick(60 * MINUTE);
    story.tick(5 * MINUTE);
    story.tell({ kind: 'started', action: story.action('tests') }).tick(60 * MINUTE);
    expect(story.run.escalations).toMatchObject([{ answer: { by: 'default' } }, { type: 'timeout', deadline: null }]);
  });

  test('has its figures: the time that was not enough', () => {
    expect(late().run.escalations[0]?.text).toBe('research takes longer than it may (1h)');
  });

  test('about a circuit breaker has its figures, and a deadline again after it was extended by itself', () => {
    const circuitBreaker = {
      ...({ scope: 'stage', failures: 1, retryAfterMs: 10 * MINUTE, whenOpen: 'ask', default: 'extend', afterMs: MINUTE } as const),
    };
    const plan = swarmPlan((stages) =>
      stages.map((stage) => (stage.id === 'research' ? { ...stage, timeoutMs: 30 * MINUTE, circuitBreaker } : stage)),
    );
    const story = new Story(plan, ANSWERS).crash('research');
    expect(story.run.escalations).toMatchObject([
      {
        type: 'circuit_breaker',
        text: 'research failed once, and its circuit breaker is open; one more try in 10m by itself. An extension gives each further try 45m. Last: the agent ended (status 1)',
        deadline: { option: 'extend', at: story.at + MINUTE },
      },
    ]);
    story.tick(MINUTE).tick(MINUTE).crash('research');
    expect(story.run.escalations.at(-1)).toMatchObject({
      type: 'circuit_breaker',
      answer: null,
      text: expect.stringContaining('each further try 1h7m'),
      deadline: { option: 'skip', at: story.at + 5 * MINUTE },
    });
  });

  test('about a circuit breaker, without a default of its own, leaves the stage out and marks it', () => {
    const figures = { scope: 'stage', failures: 1, retryAfterMs: 10 * MINUTE, whenOpen: 'ask' } as const;
    const circuitBreaker = { ...figures, default: undefined, afterMs: undefined };
    const plan = swarmPlan((stages) => stages.map((stage) => (stage.id === 'research' ? { ...stage, circuitBreaker } : stage)));
    const story = new Story(plan, ANSWERS).crash('research').tick(5 * MINUTE);
    expect(story.run.steps.research).toMatchObject({
      state: { kind: 'skipped', cause: 'failure' },
      marks: ['partial', 'by default: skip'],
    });
    expect(story.states()).toMatchObject({ develop: 'acting' });
  });

  test('takes the answer of a person that comes in time', () => {
    const story = late()
      .tick(4 * MINUTE)
      .tell({ kind: 'decided', escalation: 1, option: 'skip', text: null })
      .tick(60 * MINUTE);
    expect(story.run.escalations).toMatchObject([{ answer: { option: 'skip', by: 'person' } }]);
    expect(story.run.steps.research?.marks).toEqual(['partial']);
  });

  test('does not count the time without llmc: nobody could see it', () => {
    const story = late()
      .tell({ kind: 'away', ms: 60 * MINUTE })
      .tick(4 * MINUTE);
    expect(story.states()).toMatchObject({ research: 'asking' });
  });

  test('that the question does not offer is not taken', () => {
    expect(late({ answers: { timeout: { option: 'accept', afterMs: MINUTE } } }).run.escalations).toMatchObject([{ deadline: null }]);
  });
});

describe('a question that never answers itself', () => {
  const answers = Object.fromEntries(NEVER_ALONE.map((type) => [type, { option: 'skip', afterMs: 1 }]));
  const ask = { after: 1, steps: [{ kind: 'ask', options: [] }] } as const;
  const waits = (story: Story) => story.tick(48 * 60 * MINUTE).run.escalations;

  test('is one of an agent', () => {
    const story = new Story(swarmPlan(), { answers });
    const action = story.action('research');
    story.tell({ kind: 'started', action }).tell({ kind: 'asked', action, question: 'Which port?' });
    expect(waits(story)).toMatchObject([{ type: 'blocked', deadline: null, answer: null }]);
  });

  test('is one about a crash', () => {
    const plan = { ...swarmPlan(), stages: [work('one', 'researcher', { onFailure: { crash: ask } })] };
    expect(waits(new Story(plan, { answers }).crash('one'))).toMatchObject([{ type: 'crash', deadline: null, answer: null }]);
  });

  test('is an approval', () => {
    const approval = review('look', 'one', { by: { kind: 'person' } });
    const story = new Story({ ...swarmPlan(), stages: [work('one', 'researcher'), approval] }, { answers }).work('one');
    expect(waits(story)).toMatchObject([{ type: 'approval', deadline: null, answer: null }]);
  });

  test('is one about a review that a person does', () => {
    const approval = review('look', 'one', { by: { kind: 'person' }, maxRounds: 1, onFailure: { limit: ask } });
    const accept = { unmet: { option: 'accept', afterMs: 1 } };
    const story = new Story({ ...swarmPlan(), stages: [work('one', 'researcher'), approval] }, { answers: accept }).work('one');
    story.tell({ kind: 'decided', escalation: 1, option: 'reject', text: 'no' });
    expect(waits(story)).toMatchObject([{ type: 'approval' }, { type: 'unmet', deadline: null, answer: null }]);
  });

  test('is one about the quality floor', () => {
    const search = forEach('all', [work('one', 'researcher')], { of: 'inputs.none', require: { done: { min: 1 } } });
    const inputs = { none: { type: 'list', oneOf: [], optional: false } } as const;
    const story = new Story({ ...swarmPlan(), inputs, stages: [search] }, { answers });
    expect(waits(story)).toMatchObject([{ type: 'unmet', answer: null }]);
    expect(NEVER_ALONE).toEqual(['approval', 'compensation', 'quality_floor', 'crash', 'blocked']);
  });
});

test('a run without a policy waits for ever', () => {
  expect(late({ answers: undefined }).run.escalations).toMatchObject([{ deadline: null }]);
});

test('a run does not keep every question that it ever asked, but the open ones, and their numbers go on', () => {
  const story = new Story();
  const action = story.action('research');
  story.tell({ kind: 'started', action });
  for (let times = 0; times < 300; times += 1)
    story.tell({ kind: 'asked', action, question: 'x'.repeat(10_000) }).tell({ kind: 'answered', action });
  story.tell({ kind: 'asked', action, question: 'Which port?' });
  expect(story.run.escalations.length).toBeLessThanOrEqual(102);
  expect(story.run.escalations.at(-1)).toMatchObject({ number: 301, answer: null });
  expect(JSON.stringify(story.run.escalations).length).toBeLessThan(600_000);
  expect(story.records.filter((record) => record.kind === 'history' && record.text.startsWith('asks: '))).toHaveLength(301);
});

describe('a question needs no answer any more', () => {
  const asked = () => {
    const story = new Story();
    const action = story.action('research');
    return story.tell({ kind: 'started', action }).tell({ kind: 'asked', action, question: 'Which port?' });
  };
  const unanswered = ({ run }: Story) => run.escalations.filter(({ answer }) => answer === null);

  test('when another try begins without the agent that asked', () => {
    const story = asked();
    const error = errorRecord({ id: 'x', code: 'TMUX_SESSION_FAILED', message: 'gone', component: 'research', at: story.at });
    story.tell({ kind: 'failed', action: story.action('research'), error }).tick(MINUTE);
    expect(story.states()).toMatchObject({ research: 'acting' });
    expect(unanswered(story)).toEqual([]);
  });

  test('when its step is left out for another reason, and a late answer changes nothing', () => {
    const story = new Story();
    const action = story.action('research');
    story.tell({ kind: 'queued', action }).tell({ kind: 'started', action }).tell({ kind: 'asked', action, question: 'Which port?' });
    story.tell({ kind: 'decided', escalation: 2, option: 'skip', text: null });
    expect(unanswered(story)).toEqual([]);
    const before = story.states();
    expect(story.tell({ kind: 'decided', escalation: 1, option: 'abort', text: null }).states()).toEqual(before);
  });
});
