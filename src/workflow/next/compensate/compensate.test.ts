import { describe, expect, test } from 'vitest';
import { errorRecord } from '../../../recovery/error-record.ts';
import type { Reactions, ReviewStage } from '../../definition/plan.ts';
import { Told } from '../../view/told.fixture.ts';
import { openBefore } from '../interrupt/resume-choices.ts';
import { command, forEach, POLICY, result, review, swarmPlan, work } from '../samples.ts';

const once = (reaction: Reactions['steps'][number], ...more: Reactions['steps']): Reactions => ({ after: 1, steps: [reaction, ...more] });
const file = (name: string, value: unknown = null) => ({ [name]: { path: `artifacts/${name}`, sha256: 'h', value } });
const state = ({ run }: Told, step: string) => run.steps[step]?.state.kind;
const archives = ({ actions }: Told) => actions.flatMap(({ step, task }) => (task.kind === 'archive' ? [{ step, ...task }] : []));
const person = (id: string, of: string, changes: Partial<ReviewStage> = {}) => review(id, of, { by: { kind: 'person' }, ...changes });

function make(told: Told, step: string, name = `${step.replace('/', '-')}.md`): Told {
  told.reply(step, { kind: 'started' }).reply(step, { kind: 'finished' });
  return told.reply(step, { kind: 'collected', result: result({ artifacts: file(name) }) });
}

/** Reviews are collected, an outline is made of them, a person approves it, an introduction follows. */
function pipeline(changes: { readonly approval?: Partial<ReviewStage>; readonly check?: Partial<ReviewStage> } = {}): Told {
  const files = { output: { kind: 'files', files: [] } } as const;
  return new Told({
    ...swarmPlan(),
    stages: [
      work('2', 'researcher', files),
      work('3', 'researcher', { ...files, needs: ['2'] }),
      person('3-approval', '3', { maxRounds: 2, onFailure: { limit: once({ kind: 'rollback', to: '2' }) }, ...changes.approval }),
      work('4', 'developer', { ...files, needs: ['3-approval'] }),
      review('4-check', '4', { onFailure: { inconsistent: once({ kind: 'rollback', to: '4' }) }, ...changes.check }),
    ],
  });
}

describe('a rollback', () => {
  test('after two rejections archives the outline and what it was made of, the newest first, and begins again there', () => {
    const told = make(make(pipeline(), '2'), '3').tell({ kind: 'decided', escalation: 1, option: 'reject', text: 'too long' });
    make(told, '3').tell({ kind: 'decided', escalation: 2, option: 'reject', text: 'still too long' });
    expect(archives(told).map(({ step, folder, files }) => [step, folder, files])).toEqual([
      ['3', 'archive/1-2', ['artifacts/3.md']],
      ['2', 'archive/1-2', ['artifacts/2.md']],
    ]);
    expect(told.run.compensations).toMatchObject([
      { number: 1, stage: '2', action: 'rollback', steps: ['3', '2'], archived: 'archive/1-2', notified: false },
    ]);
    expect(['2', '3', '3-approval'].map((step) => state(told, step))).toEqual(['acting', 'waiting', 'waiting']);
    const again = told.actions.findLast(({ step, task }) => step === '2' && task.kind === 'attempt')?.task;
    expect(again?.kind === 'attempt' && again.prompt).toContain('An earlier result was not used');
  });

  test('takes the remarks of a review that waits for a correction along, once', () => {
    const back = { crash: once({ kind: 'rollback', to: '2' }, { kind: 'rollback', to: '2' }) } as const;
    const told = new Told({
      ...swarmPlan(),
      stages: [work('2', 'researcher'), work('3', 'developer', { needs: ['2'], onFailure: back }), review('check', '3')],
    });
    const crashed = errorRecord({ id: 'x', code: 'AGENT_CRASHED', message: 'status 1', component: '3', at: told.at });
    told.work('2', 'c2').work('3', 'c3').reply('check', { kind: 'started' }).reply('check', { kind: 'finished' });
    const verdict = { verdict: 'changes', issues: ['unclear'] } as const;
    told.reply('check', { kind: 'collected', result: result({ artifacts: file('verdict.yaml'), verdict }) });
    expect(told.run.steps['check']).toMatchObject({ state: { kind: 'waiting' }, round: 2 });
    told.reply('3', { kind: 'started' }).reply('3', { kind: 'crashed', error: crashed });
    expect(told.run.steps['check']).toMatchObject({ state: { kind: 'waiting' }, round: 1, result: null, seat: null });
    told.work('2', 'c4').reply('3', { kind: 'started' }).reply('3', { kind: 'crashed', error: crashed });
    expect(archives(told).filter(({ step }) => step === 'check')).toHaveLength(1);
  });

  test('that finds a contradiction makes the introduction again, and keeps the approved outline', () => {
    const told = make(make(pipeline(), '2'), '3').tell({ kind: 'decided', escalation: 1, option: 'approve', text: null });
    make(told, '4').reply('4-check', { kind: 'started' }).reply('4-check', { kind: 'finished' });
    const verdict = { verdict: 'inconsistent', issues: ['names another section'] } as const;
    told.reply('4-check', { kind: 'collected', result: result({ verdict }) });
    expect(told.run.compensations).toMatchObject([{ stage: '4', steps: ['4'], reason: '4 contradicts other results' }]);
    expect(['3', '3-approval', '4'].map((step) => state(told, step))).toEqual(['done', 'done', 'acting']);
  });

  test('of something that a person approved asks them first, and never goes on alone', () => {
    const told = make(make(pipeline({ check: { onFailure: { inconsistent: once({ kind: 'rollback', to: '2' }) } } }), '2'), '3');
    told.tell({ kind: 'decided', escalation: 1, option: 'approve', text: null });
    make(told, '4').reply('4-check', { kind: 'started' }).reply('4-check', { kind: 'finished' });
    told.reply('4-check', { kind: 'collected', result: result({ verdict: { verdict: 'inconsistent', issues: ['x'] } }) });
    expect(told.run.escalations.at(-1)).toMatchObject({
      type: 'compensation',
      options: ['rollback', 'keep', 'abort'],
      deadline: null,
      target: '2',
    });
    expect(told.run.escalations.at(-1)?.text).toContain('would undo what was approved: 3-approval');
    expect(told.run.compensations).toEqual([]);
    const kept = { run: told.run, actions: told.actions.length };
    told.tell({ kind: 'decided', escalation: 2, option: 'rollback', text: null });
    expect(told.run.compensations).toMatchObject([{ stage: '2', steps: ['4', '3', '2'], notified: true }]);
    expect(state(told, '2')).toBe('acting');
    expect(kept.actions).toBeLessThan(told.actions.length);
  });

  test('takes along what needs the stage, also if the file names it before', () => {
    const stages = [
      work('last', 'researcher', { needs: ['next'] }),
      work('next', 'researcher', { needs: ['first'] }),
      work('first', 'researcher'),
    ];
    const told = new Told({ ...swarmPlan(), stages }).work('first', 'c1').work('next', 'c2');
    told.tell({ kind: 'pause', now: true });
    expect(openBefore(told.run, 'last')).toEqual([]);
    told.tell({ kind: 'resume', how: { kind: 'again', address: 'first' } });
    expect(['first', 'next', 'last'].map((step) => state(told, step))).toEqual(['acting', 'waiting', 'waiting']);
    expect(openBefore(told.run, 'last')).toEqual(['next', 'first']);
  });

  test('of nothing that happened archives nothing', () => {
    const plan = { ...swarmPlan(), stages: [work('one', 'researcher', { onFailure: { crash: once({ kind: 'rollback', to: 'one' }) } })] };
    const told = new Told(plan).reply('one', { kind: 'started' });
    told.reply('one', { kind: 'lost' }).tell({ kind: 'abort', why: 'enough' });
    expect(archives(told)).toEqual([]);
  });
});

describe('a section that fails its validation in every round', () => {
  const stages = (onFailure: ReviewStage['onFailure']) =>
    [work('write', 'developer'), review('check', 'write', { maxRounds: 2, onFailure })] as const;
  const fails = (told: Told) => told.work('write/1', 'c').judge('check/1', 'x').work('write/1', 'd').judge('check/1', 'x');

  test('is archived and given to the other agent, and then marked', () => {
    const limit = once({ kind: 'substitute' }, { kind: 'skip', mark: undefined });
    const told = fails(new Told({ ...swarmPlan(), stages: [forEach('all', stages({ limit }))] }, { list: ['a'] }));
    expect(told.run.compensations).toMatchObject([{ stage: 'write/1', action: 'reassign', archived: 'archive/1-write~1' }]);
    expect(told.actions.at(-1)?.task).toMatchObject({ kind: 'attempt', agent: 'fallback', session: '-codex' });
    fails(told);
    expect([state(told, 'check/1'), state(told, 'all/1')]).toEqual(['skipped', 'done']);
    expect(told.run.steps['write/1']?.marks).toContain('partial');
  });

  test('is a disagreement that is passed on twice and asked about the third time, over all items', () => {
    const disagreement = { after: 3, steps: [{ kind: 'ask', options: ['uncertain', 'extend', 'abort'] }] } as const;
    const told = new Told(
      { ...swarmPlan(), stages: [forEach('all', stages({ disagreement }), { maxParallel: 3 })] },
      { list: ['a', 'b', 'c'] },
    );
    for (const key of ['1', '2', '3'])
      told.work(`write/${key}`, 'c').judge(`check/${key}`, 'x').work(`write/${key}`, 'd').judge(`check/${key}`, 'x');
    expect(['1', '2', '3'].map((key) => state(told, `check/${key}`))).toEqual(['skipped', 'skipped', 'asking']);
    told.tell({ kind: 'decided', escalation: 1, option: 'uncertain', text: null });
    expect(told.run.steps['write/3']?.marks).toContain('uncertain');
  });
});

test('items that are tried again because they do not agree leave their results in the archive', () => {
  const search = forEach('search', [work('find', 'researcher')], {
    maxParallel: 2,
    require: { shared: { min: 1 } },
    agreeOn: 'papers[].doi',
    onFailure: { unmet: once({ kind: 'retry' }) },
  });
  const told = new Told({ ...swarmPlan(), stages: [search] }, { list: ['a', 'b'] });
  make(make(told, 'find/1', 'papers.yaml'), 'find/2', 'papers.yaml');
  expect(told.run.compensations).toMatchObject([{ stage: 'search', action: 'retry', steps: ['find/2', 'find/1'] }]);
  expect(state(told, 'find/1')).toBe('acting');
});

describe('what a person approved is not undone without them', () => {
  const [, develop, , land] = swarmPlan().stages;
  if (develop?.kind !== 'work' || land?.kind !== 'land') throw new Error('the sample has them');
  const landing = [
    { ...develop, needs: [], prompt: '' },
    { ...land, needs: ['develop'] },
    command('after', { needs: ['land'], onFailure: { unmet: once({ kind: 'skip', mark: undefined }) } }),
  ] as const;

  test('by items that are tried again after they landed', () => {
    const all = forEach('all', landing, { require: { done: { min: 1 } }, onFailure: { unmet: once({ kind: 'retry' }) } });
    const told = new Told({ ...swarmPlan(), stages: [all] }, { list: ['a'] });
    told.work('develop/1', 'c1').reply('land/1', { kind: 'started' }).reply('land/1', { kind: 'landed', commit: 'm1' });
    told.reply('after/1', { kind: 'started' }).reply('after/1', { kind: 'checked', passed: false, output: 'no' });
    expect(state(told, 'all/1')).toBe('failed');
    expect(told.run.escalations).toMatchObject([{ type: 'compensation', step: 'all', target: 'all', deadline: null }]);
    expect(told.run.escalations[0]?.text).toContain('would undo what was approved: land/1');
    expect(archives(told)).toEqual([]);
    told.tell({ kind: 'decided', escalation: 1, option: 'keep', text: null });
    expect([state(told, 'all'), told.run.steps.all?.marks]).toEqual(['done', ['partial']]);
  });

  test('by another agent that makes reviewed work again', () => {
    const limit = once({ kind: 'substitute' });
    const stages = [
      work('one', 'developer'),
      person('yes', 'one'),
      review('check', 'one', { needs: ['yes'], maxRounds: 1, onFailure: { limit } }),
    ];
    const told = new Told({ ...swarmPlan(), stages }).work('one', 'c1');
    told.tell({ kind: 'decided', escalation: 1, option: 'approve', text: null }).judge('check', 'wrong');
    expect(told.run.escalations.at(-1)).toMatchObject({ type: 'compensation', step: 'check', target: 'one' });
    expect([state(told, 'yes'), archives(told)]).toEqual(['done', []]);
    told.tell({ kind: 'decided', escalation: 2, option: 'rollback', text: null });
    expect(told.actions.at(-1)).toMatchObject({ step: 'one', task: { kind: 'attempt', agent: 'fallback' } });
  });
});

test('a review that names items sends back these and those that stand on them, and asks about no other landing', () => {
  const [, develop, , land] = swarmPlan().stages;
  if (develop?.kind !== 'work' || land?.kind !== 'land') throw new Error('the sample has them');
  const inner = [
    { ...develop, needs: [], prompt: '' },
    { ...land, needs: ['develop'] },
  ] as const;
  const inconsistent = once({ kind: 'rollback', to: 'all' });
  const stages = [
    forEach('all', inner, { key: 'id', after: 'after', maxParallel: 3 }),
    work('join', 'researcher', { needs: ['all'] }),
    review('check', 'join', { onFailure: { inconsistent } }),
  ];
  const told = new Told({ ...swarmPlan(), stages }, { list: [{ id: 'a' }, { id: 'b', after: 'a' }, { id: 'c' }] });
  for (const key of ['a', 'b', 'c'])
    told
      .work(`develop/${key}`, `c-${key}`)
      .reply(`land/${key}`, { kind: 'started' })
      .reply(`land/${key}`, { kind: 'landed', commit: `m-${key}` });
  told.work('join', 'j').reply('check', { kind: 'started' }).reply('check', { kind: 'finished' });
  told.reply('check', { kind: 'collected', result: result({ verdict: { verdict: 'inconsistent', issues: ['x'], items: ['a'] } }) });
  expect(told.run.escalations).toMatchObject([{ type: 'compensation', step: 'check', target: 'all' }]);
  expect(told.run.escalations[0]?.text).toContain(
    'would undo what was approved: land/a, land/b. land/a, land/b would be taken back from main.',
  );
  told.tell({ kind: 'decided', escalation: 1, option: 'rollback', text: null });
  expect(told.run.compensations[0]?.landings.map(({ step }) => step)).toEqual(['land/b', 'land/a']);
  told.reply('all', { kind: 'undone', revert: 'r-b' }).reply('all', { kind: 'undone', revert: 'r-a' });
  expect(['all/a', 'all/b', 'all/c', 'land/c', 'join'].map((step) => state(told, step))).toEqual([
    'under_way',
    'waiting',
    'done',
    'done',
    'waiting',
  ]);
  expect(told.actions.at(-1)).toMatchObject({ step: 'develop/a', task: { kind: 'attempt', prompt: expect.stringContaining('- x') } });
});

test('a rollback of named items that no person approved is a recovery, counted and limited', () => {
  const unapproved = { maxRounds: 1, onFailure: { limit: once({ kind: 'skip', mark: undefined }) } };
  const inner = [work('write', 'developer', { needs: [] }), person('yes', 'write', unapproved)];
  const limit = {
    after: 1,
    steps: [
      { kind: 'rollback', to: 'all' },
      { kind: 'rollback', to: 'all' },
    ],
  } as const;
  const stages = [
    forEach('all', inner, { key: 'id', maxParallel: 2 }),
    work('join', 'researcher', { needs: ['all'] }),
    review('check', 'join', { maxRounds: 1, onFailure: { limit } }),
  ];
  const told = new Told({ ...swarmPlan(), stages }, { list: [{ id: 'a' }, { id: 'b' }] });
  for (const key of ['a', 'b']) told.work(`write/${key}`, `c-${key}`);
  for (const number of [1, 2]) told.tell({ kind: 'decided', escalation: number, option: number === 1 ? 'approve' : 'reject', text: null });
  told.work('join', 'j').reply('check', { kind: 'started' }).reply('check', { kind: 'finished' });
  const before = told.run.recoveries;
  told.reply('check', { kind: 'collected', result: result({ verdict: { verdict: 'changes', issues: ['x'], items: ['b'] } }) });
  expect(told.run.escalations.filter(({ answer }) => answer === null)).toEqual([]);
  expect(state(told, 'write/a')).toBe('done');
  expect(told.history.map(({ text }) => text)).toContainEqual(expect.stringContaining('the run goes back to all'));
  expect(told.run.recoveries).toBe(before + 1);
});

test('a verdict in an item sends the run back only so often, although its items begin again', () => {
  const inconsistent = once({ kind: 'rollback', to: 'outline' });
  const stages = [work('write', 'developer'), review('check', 'write', { onFailure: { inconsistent } })];
  const plan = { ...swarmPlan(), stages: [work('outline', 'researcher'), forEach('all', stages, { needs: ['outline'] })] };
  const told = new Told(plan, { list: ['a'] });
  const most = 20;
  for (let times = 0; times < most && told.run.escalations.length === 0; times += 1) {
    told.work('outline').work('write/1').reply('check/1', { kind: 'started' }).reply('check/1', { kind: 'finished' });
    told.reply('check/1', { kind: 'collected', result: result({ verdict: { verdict: 'inconsistent', issues: ['x'] } }) });
    told.tell({ kind: 'tick' }, 60_000);
  }
  expect(told.run.escalations).toMatchObject([{ step: 'check/1', type: 'unmet' }]);
  expect(told.run.recoveries).toBe(POLICY.limits.inTotal);
});
