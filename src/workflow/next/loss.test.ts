import { describe, expect, test } from 'vitest';
import type { ForEachStage } from '../definition/plan.ts';
import { Told } from '../view/told.fixture.ts';
import { lossFor, lossOf } from './loss.ts';
import { CRASH, forEach, POLICY, result, review, Story, swarmPlan, work } from './samples.ts';
import { Turn } from './turn.ts';

const turnOf = ({ run, at }: Story) => new Turn(run, { at, dice: 0 }, POLICY);

describe('what a run goes on without', () => {
  test.each([
    ['research', { impact: 'its result is missing', mitigation: 'the later stages go on without it, and are told so' }],
    ['review', { impact: 'develop was not checked to its end', mitigation: 'it is used as it is' }],
    ['land', { impact: 'develop is not on main', mitigation: 'its commit is kept' }],
  ])('is said by the kind of the stage: %s', (step, words) => {
    expect(lossOf(turnOf(new Story()), step)).toEqual({ step, ...words });
  });

  test('is said by the rule of the failure, if there is one', () => {
    const words = { impact: 'the review is not complete', mitigation: 'the last version is used' };
    expect(lossFor(turnOf(new Story()), 'review', 'MAX_ITERATIONS')).toEqual({ step: 'review', ...words });
  });

  test('names the mark of a review that was left out', () => {
    const story = new Story().work('research').work('develop', 'c1').tell({ kind: 'pause', now: true });
    story.tell({ kind: 'resume', how: { kind: 'skip_to', stage: 'land' } });
    expect(story.run.losses).toEqual([
      { step: 'review', impact: 'develop was not checked to its end', mitigation: 'it is marked unverified' },
    ]);
  });
});

const skip = (mark?: string) => ({ after: 1, steps: [{ kind: 'skip', mark }] }) as const;

/** A list that goes on with what is done, and a check of all of it that may name items. */
function search(lost: readonly string[], changes: Partial<ForEachStage> = {}): Told {
  const list = forEach('search', [work('find', 'researcher')], {
    ...{ key: 'id', require: { done: { min: 3 } }, maxParallel: 9, onFailure: { unmet: skip('partial'), crash: skip() }, ...changes },
  });
  const inconsistent = { after: 1, steps: [{ kind: 'rollback', to: 'search' }] } as const;
  const check = review('check', 'join', { onFailure: { inconsistent } });
  const stages = [list, work('join', 'developer', { needs: ['search'] }), check];
  const keys = ['a', 'b', 'c'];
  const told = new Told({ ...swarmPlan(), stages }, { list: keys.map((id) => ({ id })) });
  return keys.reduce((each, key) => (lost.includes(key) ? crash(each, `find/${key}`) : each.work(`find/${key}`)), told);
}

const crash = (told: Told, step: string) =>
  told.reply(step, { kind: 'started' }).reply(step, { kind: 'crashed', error: { ...CRASH, component: step } });

/** The check finds that these items do not agree with the others. */
function sendBack(told: Told, ...items: readonly string[]): Told {
  told.work('join', 'j').reply('check', { kind: 'started' }).reply('check', { kind: 'finished' });
  return told.reply('check', { kind: 'collected', result: result({ verdict: { verdict: 'inconsistent', issues: ['x'], items } }) });
}

const mitigation = 'the later stages go on with the others';
const lossesOf = ({ run }: Told) => run.losses.filter(({ step }) => step === 'search');
const marksOf = ({ run }: Told, step: string) => run.steps[step]?.marks;

describe('a list that goes on with the items that are done', () => {
  test.each([
    [['a'], '1 of 3 items is missing'],
    [['a', 'c'], '2 of 3 items are missing'],
  ])('says how many are missing, not that its result is: %j', (lost, impact) => {
    expect(lossesOf(search(lost))).toEqual([{ step: 'search', impact, mitigation }]);
  });

  test('but do not meet its requirement says that', () => {
    expect(lossesOf(search([], { require: { done: { min: 4 } } }))).toEqual([
      {
        ...{ step: 'search', impact: 'what its items left does not meet its requirement' },
        mitigation: 'the later stages go on with what is there',
      },
    ]);
  });

  test('and to which a check sends back others still lacks what it lacked', () => {
    const told = sendBack(search(['a']), 'b');
    expect(told.run.steps['search/b']?.state.kind).toBe('under_way');
    expect(lossesOf(told)).toEqual([{ step: 'search', impact: '1 of 3 items is missing', mitigation }]);
    expect(marksOf(told, 'search')).toEqual(['partial']);
  });

  test('and to which a check sends back what it lacked lacks nothing any more', () => {
    const told = sendBack(search(['a']), 'a');
    expect(told.run.losses).toEqual([]);
    expect(marksOf(told, 'search')).toEqual([]);
  });
});
