import { expect, test } from 'vitest';
import type { Plan, Reaction, Trigger } from '../../src/workflow/definition/plan.ts';
import type { RunRecord } from '../../src/workflow/model/action.ts';
import type { EscalationType } from '../../src/workflow/model/escalation.ts';
import type { What } from '../../src/workflow/model/event.ts';
import { listActions, type StepState } from '../../src/workflow/model/run.ts';
import { hasEnded } from '../../src/workflow/next/next.ts';
import { NEVER_ALONE } from '../../src/workflow/next/questions/deadlines.ts';
import { CRASH, command, forEach, result, review, Story, swarmPlan, work } from '../../src/workflow/next/samples.ts';
import { seededRandom } from '../crash/seeded-random.ts';

const MINUTE = 60_000;
const ask = (...triggers: readonly Trigger[]) =>
  Object.fromEntries(triggers.map((trigger) => [trigger, only({ kind: 'ask', options: [] })]));
const only = (step: Reaction) => ({ after: 1, steps: [step] });

/** Every kind of question can come up, also those that answer themselves. */
function plan(): Plan {
  const breaker = {
    scope: 'stage',
    failures: 2,
    retryAfterMs: 10 * MINUTE,
    whenOpen: 'ask',
    default: 'extend',
    afterMs: 5 * MINUTE,
  } as const;
  const [, , , land] = swarmPlan().stages;
  if (land?.kind !== 'land') throw new Error('the sample has it');
  return {
    ...swarmPlan(),
    stages: [
      work('scope', 'researcher', { timeoutMs: 30 * MINUTE, onFailure: ask('timeout', 'crash', 'invalid_output') }),
      review('approve', 'scope', { by: { kind: 'person' }, maxRounds: 2, onFailure: { limit: only({ kind: 'rollback', to: 'scope' }) } }),
      forEach(
        'all',
        [
          work('write', 'developer', { timeoutMs: 60 * MINUTE, onFailure: ask('crash', 'timeout') }),
          review('check', 'write', { timeoutMs: 30 * MINUTE, maxRounds: 2, circuitBreaker: breaker }),
        ],
        { needs: ['approve'], maxParallel: 2, require: { done: { min: 3 } } },
      ),
      work('build', 'developer', { needs: ['all'], onFailure: ask('crash') }),
      { ...land, of: 'build', needs: ['build'] },
      command('after', { needs: ['land'], onFailure: { unmet: only({ kind: 'rollback', to: 'scope' }) } }),
    ],
  };
}

/** The most careless policy: whatever is asked, the first thing that lets the run go on is taken after a minute. */
const GO_ON = { option: 'skip', afterMs: MINUTE };
const TYPES: readonly EscalationType[] = [
  ...NEVER_ALONE,
  ...(['timeout', 'invalid_output', 'unavailable', 'resource', 'unmet', 'failed', 'circuit_breaker'] as const),
];
const answers = {
  ...Object.fromEntries(TYPES.map((type) => [type, GO_ON])),
  approval: { option: 'approve', afterMs: MINUTE },
  compensation: { option: 'rollback', afterMs: MINUTE },
  quality_floor: { option: 'accept', afterMs: MINUTE },
  blocked: { option: 'answer', afterMs: MINUTE },
};

/** What can happen to an action that a step waits for. */
function happens(story: Story, random: () => number): What | undefined {
  const live = Object.values(story.run.steps).flatMap(({ state }) => {
    const [action] = listActions(state);
    return action === undefined ? [] : [{ state, action }];
  });
  const { state, action } = live[Math.floor(random() * live.length)] ?? {};
  const task = story.actions.find(({ id }) => id === action)?.task;
  if (state === undefined || action === undefined || task === undefined) return undefined;
  const luck = random();
  switch (task.kind) {
    case 'collect':
      if (luck < 0.1) return { kind: 'invalid', action, problems: ['it is empty'] };
      if (!task.verdict) return { kind: 'collected', action, result: result({ commit: `c${story.run.counter}` }) };
      return { kind: 'collected', action, result: result({ verdict: luck < 0.5 ? APPROVED : { verdict: 'changes', issues: ['x'] } }) };
    case 'check':
      return { kind: 'checked', action, passed: luck < 0.5, output: '' };
    case 'land':
      return state.kind === 'acting' ? { kind: 'started', action } : { kind: 'landed', action, commit: `m${story.run.counter}` };
    case 'undo':
      if (luck < 0.5) return { kind: 'failed', action, error: { ...CRASH, code: 'UNDO_REFUSED', message: 'later commits' } };
      return { kind: 'undone', action, revert: 'r' };
    case 'attempt':
    case 'follow_up':
      if (state.kind === 'working' && state.nudge !== undefined && luck < 0.5)
        return { kind: 'nudged', action: state.nudge.action, works: luck < 0.25 };
      if (state.kind === 'acting' && luck < 0.1) return { kind: 'busy', action };
      return ofAgent(state.kind, action, luck);
    default:
      return ofAgent(state.kind, action, luck);
  }
}

function ofAgent(kind: StepState['kind'], action: string, luck: number): What {
  if (kind === 'acting') return { kind: 'started', action };
  if (luck < 0.15) return { kind: 'crashed', action, error: CRASH };
  if (luck < 0.3) return { kind: 'asked', action, question: 'which?' };
  return { kind: 'finished', action };
}

const APPROVED = { verdict: 'approved', issues: [] } as const;

/** A person who answers now and then, with anything that is offered but the end of the run. */
function decides(story: Story, random: () => number): What | undefined {
  const open = story.run.escalations.filter(({ answer }) => answer === null);
  const question = open[Math.floor(random() * open.length)];
  const options = question?.options.filter((option) => option !== 'abort') ?? [];
  const option = options[Math.floor(random() * options.length)];
  return question === undefined || option === undefined ? undefined : { kind: 'decided', escalation: question.number, option, text: 'so' };
}

function play(seed: number): Story {
  const random = seededRandom(seed);
  const story = new Story(plan(), { answers, runTimeoutMs: 1_000 * 60 * MINUTE });
  story.run = { ...story.run, inputs: { list: ['a', 'b', 'c'] }, plan: { ...story.run.plan, timeoutMs: undefined } };
  for (let moves = 0; moves < 250 && !hasEnded(story.run); moves += 1) {
    const luck = random();
    const what = luck < 0.6 ? happens(story, random) : luck < 0.68 ? decides(story, random) : undefined;
    story.tell(what ?? { kind: 'tick' }, what === undefined ? Math.ceil(random() * 20 * MINUTE) : 1_000);
  }
  return story;
}

const isTaken = (record: RunRecord, step: string | null) =>
  record.kind === 'history' && record.step === step && /^nobody answered #\d+ in time: /.test(record.text);

test('over 300 random runs on the virtual clock, no question of a reserved kind is ever answered but by a person', () => {
  const asked = new Set<EscalationType>();
  const byDefault = new Set<EscalationType>();
  for (let seed = 1; seed <= 300; seed += 1) {
    const story = play(seed);
    for (const { type, answer, deadline, step } of story.run.escalations) {
      asked.add(type);
      if (answer?.by === 'default') byDefault.add(type);
      if (NEVER_ALONE.includes(type)) expect({ seed, deadline }).toEqual({ seed, deadline: null });
      // What was taken by default is logged.
      if (answer?.by === 'default')
        expect(
          story.records.some((record) => isTaken(record, step)),
          `seed ${seed}`,
        ).toBe(true);
    }
    // Everything that was undone is settled or held by a step that waits for it.
    for (const { stage, landings } of story.run.compensations)
      if (landings.some(({ state }) => state === 'pending') && !hasEnded(story.run))
        expect(['acting', 'asking'], `seed ${seed}`).toContain(story.run.steps[stage]?.state.kind);
  }
  expect([...asked].toSorted()).toEqual(expect.arrayContaining([...NEVER_ALONE]));
  expect([...byDefault].filter((type) => NEVER_ALONE.includes(type))).toEqual([]);
  expect(byDefault.size).toBeGreaterThan(2);
});
