import { describe, expect, test } from 'vitest';
import type { CircuitBreaker, ForEachStage, Reaction, Reactions } from '../definition/plan.ts';
import { Told } from '../view/told.fixture.ts';
import { describeLoss, lossFor } from './loss.ts';
import { CRASH, command, forEach, POLICY, result, review, Story, swarmPlan, work } from './samples.ts';
import { Turn } from './turn.ts';

const turnOf = ({ run, at }: Story) => new Turn(run, { at, dice: 0 }, POLICY);

describe('what a run goes on without', () => {
  test.each([
    ['research', { impact: 'its result is missing', mitigation: 'the later stages go on without it, and are told so' }],
    ['review', { impact: 'develop was not checked to its end', mitigation: 'it is used as it is' }],
    ['land', { impact: 'develop is not on main', mitigation: 'its commit is kept' }],
  ])('is said by the kind of the stage: %s', (step, words) => {
    expect(describeLoss(turnOf(new Story()), step)).toEqual({ step, ...words });
  });

  test('is said by the rule of the failure, if there is one', () => {
    const words = { impact: 'the review is not complete', mitigation: 'the last version is used' };
    expect(lossFor(turnOf(new Story()), 'review', 'MAX_ITERATIONS')).toEqual({ step: 'review', ...words });
  });

  test('is a missing result if the work of such a review is left out itself', () => {
    expect(lossFor(turnOf(new Story()), 'develop', 'MAX_ITERATIONS')).toMatchObject({ impact: 'its result is missing' });
  });

  test('is said of a stage that a person left out with a word of the workflow file, too', () => {
    const onFailure = { limit: { after: 1, steps: [{ kind: 'ask', options: ['uncertain', 'abort'] }] } } as const;
    const told = new Told(
      swarmPlan((stages) =>
        stages.map((stage) => (stage.id === 'review' ? review('review', 'develop', { maxRounds: 1, onFailure }) : stage)),
      ),
    );
    told.work('research').work('develop', 'c1').judge('review', 'no test');
    told.tell({ kind: 'decided', escalation: 1, option: 'uncertain', text: null });
    expect(told.run).toMatchObject({
      level: 'reduced',
      warnings: ['a person chose uncertain for review'],
      losses: [{ step: 'review', impact: 'develop was not checked to its end', mitigation: 'it is marked uncertain' }],
    });
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
    key: 'id',
    require: { done: { min: 3 } },
    maxParallel: 9,
    onFailure: { unmet: skip('partial'), crash: skip() },
    ...changes,
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
        step: 'search',
        impact: 'what its items left does not meet its requirement',
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

const once = (...steps: readonly Reaction[]): Reactions => ({ after: 1, steps });
const decide = (told: Told, option: string) =>
  told.tell({ kind: 'decided', escalation: told.run.escalations.at(-1)?.number ?? 0, option, text: null });

describe('an open breaker that refuses a stage', () => {
  const breaker = (whenOpen: CircuitBreaker['whenOpen']): CircuitBreaker => ({
    scope: 'stage',
    failures: 1,
    retryAfterMs: 600_000,
    whenOpen,
    default: undefined,
    afterMs: undefined,
  });
  const CRASHED = { crash: once({ kind: 'skip', mark: undefined }) };
  const reviewed = (whenOpen: CircuitBreaker['whenOpen']) => {
    const check = review('check', 'write', { circuitBreaker: breaker(whenOpen), onFailure: CRASHED });
    const list = forEach('all', [work('write', 'developer'), check], { maxParallel: 3 });
    return crash(new Told({ ...swarmPlan(), stages: [list] }, { list: ['a', 'b', 'c'] }).work('write/1'), 'check/1');
  };

  test.each([
    ['skip', 'it is marked unverified'],
    ['partial', 'it is marked partial'],
  ] as const)('and goes on with %s says what is missing, and warns once for all items', (whenOpen, mitigation) => {
    const told = reviewed(whenOpen).work('write/2').work('write/3');
    const lost = (key: string) => ({ step: `check/${key}`, impact: `write/${key} was not checked to its end` });
    expect(told.run.losses.slice(1)).toEqual([
      { ...lost('2'), mitigation },
      { ...lost('3'), mitigation },
    ]);
    expect(told.run.warnings.slice(1)).toEqual(['check is left out while its circuit breaker is open']);
    expect(told.run.level).not.toBe('full');
  });

  test('that a person leaves out for the rest of the run says so for each item that comes', () => {
    const told = decide(reviewed('ask'), 'skip').work('write/2');
    expect(told.run.losses.map(({ step }) => step)).toEqual(['check/1', 'check/2']);
  });

  test('names the stage of the one item whose breaker it is', () => {
    const circuitBreaker = { ...breaker('skip'), scope: 'item' } as const;
    const list = forEach('all', [work('write', 'developer', { circuitBreaker, onFailure: { crash: once({ kind: 'retry' }) } })]);
    const told = crash(new Told({ ...swarmPlan(), stages: [list] }, { list: ['a', 'b'] }), 'write/1');
    expect(told.run.losses.map(({ step }) => step)).toEqual(['write/1']);
    expect(told.run.warnings.join()).not.toContain('write/2');
  });
});

describe('an answer with which a run goes on with less', () => {
  const asks = (...options: readonly string[]) => once({ kind: 'ask', options });
  const limit = (...options: readonly string[]) => {
    const check = review('check', 'write', { maxRounds: 1, onFailure: { limit: asks(...options) } });
    return new Told({ ...swarmPlan(), stages: [work('write', 'developer'), check] }).work('write', 'c1').judge('check', 'no test');
  };
  const unmet = () => {
    const require = { 'write.answer': { is: 'x' } };
    const stage = work('write', 'developer', { require, onFailure: { unmet: asks('accept', 'skip', 'abort') } });
    return new Told({ ...swarmPlan(), stages: [stage, work('next', 'researcher', { needs: ['write'] })] }).work('write', 'c1');
  };
  const floor = () => search(['a'], { onFailure: { crash: skip() } });
  /** Its items have landed, and they would be tried again. */
  const landed = () => {
    const [, , , land] = swarmPlan().stages;
    if (land?.kind !== 'land') throw new Error('the sample has it');
    const stages = [
      work('develop', 'developer'),
      { ...land, needs: ['develop'] },
      command('after', { needs: ['land'], onFailure: { unmet: skip() } }),
    ];
    const list = forEach('all', stages, { require: { done: { min: 1 } }, onFailure: { unmet: once({ kind: 'retry' }) } });
    const told = new Told({ ...swarmPlan(), stages: [list] }, { list: ['a'] }).work('develop/1', 'c1');
    told.reply('land/1', { kind: 'started' }).reply('land/1', { kind: 'landed', commit: 'm1' });
    return told.reply('after/1', { kind: 'started' }).reply('after/1', { kind: 'checked', passed: false, output: 'no' });
  };
  const USED = 'the later stages go on with what is there';

  test.each<readonly [string, () => Told, string, { step: string; impact: string; mitigation: string }, string]>([
    [
      ...(['a word of the file', () => limit('uncertain', 'extend'), 'uncertain'] as const),
      { step: 'check', impact: 'write was not checked to its end', mitigation: 'it is marked uncertain' },
      'a person chose uncertain for check',
    ],
    [
      ...(['accept, for remarks', () => limit('accept', 'extend'), 'accept'] as const),
      { step: 'check', impact: 'write is not approved', mitigation: 'it is used as it is' },
      'a person accepted check as it is',
    ],
    [
      ...(['accept, for a requirement', unmet, 'accept'] as const),
      { step: 'write', impact: 'what it left does not meet its requirement', mitigation: USED },
      'a person accepted write as it is',
    ],
    [
      ...(['accept, for a list', floor, 'accept'] as const),
      { step: 'search', impact: '1 of 3 items is missing', mitigation: 'the later stages go on with the others' },
      'a person accepted search as it is',
    ],
    [
      ...(['keep, for a list', landed, 'keep'] as const),
      { step: 'all', impact: '1 of 1 items is missing', mitigation: 'the later stages go on with the others' },
      'a person kept what was approved, so all goes on as it is',
    ],
  ])('%s', (_, told, option, loss, warning) => {
    const { run } = decide(told(), option);
    expect(run.losses).toContainEqual(loss);
    expect(run.warnings).toContain(warning);
    expect(run.level).not.toBe('full');
  });

  test('keep, for the review that wanted to go back', () => {
    const inconsistent = once({ kind: 'rollback', to: 'one' });
    const yes = review('yes', 'one', { by: { kind: 'person' } });
    const stages = [work('one', 'developer'), yes, review('check', 'one', { needs: ['yes'], onFailure: { inconsistent } })];
    const told = decide(new Told({ ...swarmPlan(), stages }).work('one', 'c1'), 'approve');
    told.reply('check', { kind: 'started' }).reply('check', { kind: 'finished' });
    told.reply('check', { kind: 'collected', result: result({ verdict: { verdict: 'inconsistent', issues: ['x'] } }) });
    expect(decide(told, 'keep').run.losses).toEqual([
      { step: 'check', impact: 'one was not checked to its end', mitigation: 'it is marked partial' },
    ]);
  });

  test('accept, for a list that takes long, leaves out the items that are under way', () => {
    const list = forEach('all', [work('write', 'developer')], { timeoutMs: 60_000, onFailure: { timeout: asks('accept', 'extend') } });
    const plan = { ...swarmPlan(), stages: [list, work('next', 'researcher', { needs: ['all'] })] };
    const told = new Told(plan, { list: ['a', 'b'] }).reply('write/1', { kind: 'started' }).tell({ kind: 'tick' }, 3_600_000);
    const { run } = decide(told, 'accept');
    const states = ['all', 'all/1', 'all/2', 'write/1', 'write/2', 'next'].map((step) => run.steps[step]?.state.kind);
    expect(states).toEqual(['done', 'skipped', 'skipped', 'skipped', 'skipped', 'acting']);
    expect(run.losses).toMatchObject([{ step: 'all', impact: '2 of 2 items are missing' }]);
  });
});

test('an item whose predecessor was not done is missing too', () => {
  const list = forEach('all', [work('write', 'developer', { onFailure: { crash: skip() } })], { key: 'id', after: 'after' });
  const items = [{ id: 'a' }, { id: 'b', after: ['a'] }];
  const told = crash(new Told({ ...swarmPlan(), stages: [list] }, { list: items }), 'write/a');
  expect(told.run.losses.map(({ step }) => step)).toEqual(['write/a', 'all/b']);
});

describe('what is missing decides the level', () => {
  const accepted = () => {
    const check = review('check', 'write', { maxRounds: 1, onFailure: { limit: once({ kind: 'ask', options: ['accept', 'abort'] }) } });
    const back = once({ kind: 'rollback', to: 'write' });
    const stages = [work('write', 'developer'), check, command('test', { needs: ['check'], onFailure: { unmet: back } })];
    return decide(new Told({ ...swarmPlan(), stages }).work('write', 'c1').judge('check', 'no test'), 'accept');
  };

  test('a run that lacks something is not full, and is full again when it is made again', () => {
    const told = accepted();
    expect(told.run.level).toBe('reduced');
    told.reply('test', { kind: 'started' }).reply('test', { kind: 'checked', passed: false, output: 'no' });
    expect([told.run.losses, told.run.level]).toEqual([[], 'full']);
  });
});

test('work that is accepted as it is, and that a review sends back, is not missing once it is what was asked for', () => {
  const require = { 'write.answer': { is: 'x' } };
  const write = work('write', 'developer', { require, onFailure: { unmet: once({ kind: 'ask', options: ['accept', 'abort'] }) } });
  const told = decide(new Told({ ...swarmPlan(), stages: [write, review('check', 'write')] }).work('write', 'c1'), 'accept');
  expect(told.run.losses.map(({ step }) => step)).toEqual(['write']);
  told.judge('check', 'no test').reply('write', { kind: 'started' }).reply('write', { kind: 'finished' });
  told.reply('write', { kind: 'collected', result: result({ commit: 'c2', answer: 'x' }) });
  expect([told.run.losses, told.run.level]).toEqual([[], 'full']);
});

test('work that lands after its stage was left out is on main', () => {
  const told = new Told(swarmPlan((stages) => [...stages, work('last', 'developer', { needs: ['land'] })]));
  told.work('research').work('develop', 'c1').judge('review').reply('land', { kind: 'started' }).tell({ kind: 'pause', now: true });
  told.tell({ kind: 'resume', how: { kind: 'skip_to', stage: 'last' } });
  expect(told.run.losses).toEqual([{ step: 'land', impact: 'develop is not on main', mitigation: 'its commit is kept' }]);
  told.reply('land', { kind: 'landed', commit: 'm1' });
  expect(told.run.losses).toEqual([]);
});
