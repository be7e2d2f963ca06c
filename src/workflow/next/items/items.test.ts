import { describe, expect, test } from 'vitest';
import { errorRecord } from '../../../recovery/error-record.ts';
import type { ForEachStage } from '../../definition/plan.ts';
import { NOON, Told } from '../../view/told.fixture.ts';
import { forEach, result, review, sectionsPlan, swarmPlan, work } from '../samples.ts';

const states = ({ run }: Told) => Object.fromEntries(Object.values(run.steps).map(({ address, state }) => [address, state.kind]));
const artifact = (value: unknown) => ({ path: 'p', sha256: 'h', value });
const SECTIONS = [
  { id: 's1', title: 'One' },
  { id: 's2', title: 'Two' },
  { id: 's3', title: 'Three' },
];

function outlined(sections: unknown = SECTIONS, changes: Partial<ForEachStage> = {}): Told {
  const told = new Told(sectionsPlan(changes));
  told.reply('outline', { kind: 'started' }).reply('outline', { kind: 'finished' });
  return told.reply('outline', { kind: 'collected', result: result({ artifacts: { 'outline.yaml': artifact({ sections }) } }) });
}

const section = (told: Told, key: string) => told.work(`write/${key}`).judge(`check/${key}`);
const error = errorRecord({ id: 'x', code: 'AGENT_CRASHED', message: 'status 1', component: '', at: NOON });
const crash = (told: Told, step: string) =>
  told.reply(step, { kind: 'started' }).reply(step, { kind: 'crashed', error }).tell({ kind: 'tick' }, 10_000);
const attempts = ({ actions }: Told) => actions.flatMap(({ step, task }) => (task.kind === 'attempt' ? [{ step, ...task }] : []));

describe('a for_each', () => {
  test('never gives one worker the reviews of two items, also when a later review sends the work of the first back', () => {
    const stages = [
      work('write', 'developer'),
      review('one', 'write'),
      review('two', 'write', { by: { kind: 'role', role: 'researcher' }, needs: ['one'] }),
    ];
    const told = new Told({ ...swarmPlan(), stages: [forEach('all', stages, { maxParallel: 2 })] }, { list: ['a', 'b'] });
    told.work('write/1').judge('one/1').work('write/2');
    // The reviewer of the first item is free, so the second item has it.
    told.judge('two/1', 'unclear').work('write/1');
    const seats = ['one/1', 'one/2'].map((step) => told.run.steps[step]).map((step) => [step?.state.kind, step?.seat]);
    expect(seats).toEqual([
      ['acting', 2],
      ['acting', 1],
    ]);
    expect(attempts(told).at(-1)).toMatchObject({ step: 'one/1', seat: 'reviewer-2', conversation: 'fresh' });
  });

  test('has as many items under way as its window holds, and the next one follows', () => {
    const told = outlined();
    expect(states(told)).toMatchObject({
      sections: 'under_way',
      'sections/s1': 'under_way',
      'sections/s2': 'under_way',
      'sections/s3': 'waiting',
      'write/s1': 'acting',
      'check/s1': 'waiting',
      'write/s2': 'acting',
      draft: 'waiting',
    });
    expect(states(told)).not.toHaveProperty('write/s3');
    section(told, 's2');
    expect(states(told)).toMatchObject({ 'sections/s2': 'done', 'write/s3': 'acting', 'sections/s1': 'under_way' });
    section(section(told, 's1'), 's3');
    expect(states(told)).toMatchObject({ sections: 'done', draft: 'acting' });
    expect(attempts(told).at(-1)).toMatchObject({
      prompt: expect.stringContaining('Join 3 sections.'),
      reads: expect.arrayContaining(['outline']),
    });
    expect(told.work('draft').run.status).toBe('done');
  });

  test('uses its workers for item after item', () => {
    const told = outlined();
    section(section(section(told, 's2'), 's1'), 's3');
    expect(attempts(told).map(({ step, seat }) => `${step} ${seat}`)).toEqual([
      'outline researcher',
      'write/s1 developer',
      'write/s2 developer-2',
      'check/s2 reviewer',
      'write/s3 developer-2',
      'check/s1 reviewer',
      'check/s3 reviewer',
      'draft researcher',
    ]);
    // A new item is a new piece of work: its worker begins with a fresh worktree and conversation.
    expect(attempts(told)[4]).toMatchObject({ continues: [], conversation: 'fresh' });
  });

  test('gives each stage its own item and the stages of the same item', () => {
    const told = outlined();
    const write = attempts(told).find(({ step }) => step === 'write/s2');
    expect(write?.prompt).toContain('Write Two by .llmc-task/in/outline/outline.yaml.');
    expect(write?.reads).toEqual(['outline']);
    told.reply('write/s2', { kind: 'started' }).reply('write/s2', { kind: 'finished' });
    told.reply('write/s2', { kind: 'collected', result: result({ artifacts: { 'section.md': artifact(null) } }) });
    expect(attempts(told).at(-1)).toMatchObject({ step: 'check/s2', reads: ['write/s2', 'outline'] });
  });

  test('without items is done', () => {
    expect(states(outlined([]))).toMatchObject({ sections: 'done', draft: 'acting' });
  });

  test('whose list cannot be used asks a person, with every problem', () => {
    const told = outlined([{ id: 's1' }, { id: '../s2' }, { id: 's1' }]);
    expect(told.run.escalations).toMatchObject([{ type: 'unmet', step: 'sections', options: ['restart', 'skip', 'abort'] }]);
    expect(told.run.escalations[0]?.text).toContain('item 2: id is "../s2"');
    told.tell({ kind: 'decided', escalation: 1, option: 'skip', text: null });
    expect(states(told)).toMatchObject({ sections: 'skipped', draft: 'acting' });
  });

  test('whose list is missing, because its stage was skipped, is skipped', () => {
    const told = new Told(sectionsPlan());
    for (let times = 0; times < 3; times += 1) crash(told, 'outline');
    told.tell({ kind: 'decided', escalation: 1, option: 'skip', text: null });
    expect(states(told)).toMatchObject({ outline: 'skipped', sections: 'skipped', draft: 'asking' });
  });
});

describe('an item', () => {
  test('waits for the items before it, and stands on what they left', () => {
    const stories = [{ id: 'a' }, { id: 'b', after: 'a' }, { id: 'c' }];
    const plan = { ...swarmPlan(), stages: [forEach('stories', [work('develop', 'developer')], { key: 'id', after: 'after' })] };
    const told = new Told(plan, { list: stories });
    expect(states(told)).toMatchObject({ 'stories/a': 'under_way', 'stories/b': 'waiting', 'stories/c': 'under_way' });
    told.work('develop/a', 'commit-a');
    expect(attempts(told).at(-1)).toMatchObject({ step: 'develop/b', base: 'commit-a' });
    told.work('develop/c', 'commit-c').work('develop/b', 'commit-b');
    expect(told.run.status).toBe('done');
  });

  test('whose status is done in the status file is not done again, and those after it go on', () => {
    const stories = [
      { id: 'a', status: 'done' },
      { id: 'b', status: 'deferred', after: 'a' },
      { id: 'c', status: 'in-progress' },
    ];
    const stage = forEach('stories', [work('develop', 'developer')], { key: 'id', after: 'after', statusFile: 'inputs.epic' });
    const told = new Told({ ...swarmPlan(), stages: [stage] }, { list: stories });
    expect(states(told)).toMatchObject({ 'stories/a': 'done', 'stories/b': 'under_way', 'stories/c': 'under_way' });
    expect(attempts(told).map(({ step, base }) => [step, base])).toEqual([
      ['develop/b', null],
      ['develop/c', null],
    ]);
    expect(told.work('develop/b').work('develop/c').run.status).toBe('done');
  });

  test('without an item that it waits for is skipped', () => {
    const told = outlined([{ id: 's1' }, { id: 's2', after: ['s1'] }], {
      onFailure: { crash: { after: 1, steps: [{ kind: 'skip', mark: undefined }] } },
    });
    crash(told, 'write/s1');
    expect(states(told)).toMatchObject({ 'sections/s1': 'failed', 'sections/s2': 'skipped', sections: 'done' });
  });

  test('has review loops of its own', () => {
    const told = outlined().work('write/s1').judge('check/s1', 'too long');
    expect(states(told)).toMatchObject({ 'write/s1': 'acting', 'check/s1': 'waiting', 'write/s2': 'acting' });
    expect(told.actions.at(-1)).toMatchObject({ step: 'write/s1', task: { kind: 'follow_up', seat: 'developer' } });
    told.work('write/s1').judge('check/s1', 'still too long');
    expect(states(told)).toMatchObject({ 'check/s1': 'skipped', 'sections/s1': 'done', 'write/s3': 'acting' });
    expect(told.run.steps['sections/s1']?.marks).toEqual(['partial']);
  });

  test('that a person leaves out is skipped, and its other stages with it', () => {
    const told = outlined(SECTIONS, { onFailure: { crash: { after: 1, steps: [{ kind: 'ask', options: [] }] } } });
    crash(told, 'write/s1').tell({ kind: 'decided', escalation: 1, option: 'skip', text: null });
    expect(states(told)).toMatchObject({ 'write/s1': 'skipped', 'check/s1': 'skipped', 'sections/s1': 'skipped', 'write/s3': 'acting' });
  });

  test('has a fallback of its own: the agent of the others stays', () => {
    const told = outlined();
    for (let times = 0; times < 2; times += 1) crash(told, 'write/s1');
    const last = (step: string) => attempts(told).findLast((each) => each.step === step);
    expect(last('write/s1')).toMatchObject({ agent: 'fallback', session: '-codex' });
    section(told, 's2');
    expect(last('write/s3')).toMatchObject({ agent: 'own' });
  });

  test('counts its recoveries for itself', () => {
    const told = outlined();
    for (let times = 0; times < 2; times += 1) for (const key of ['s1', 's2']) crash(told, `write/${key}`);
    expect(told.run.recoveries).toBe(0);
    expect(told.run.steps['sections/s1']?.item?.recoveries).toBe(2);
  });
});

describe('a requirement', () => {
  const losing = (changes: Partial<ForEachStage>) =>
    outlined([{ id: 's1' }, { id: 's2' }], { onFailure: { crash: { after: 1, steps: [{ kind: 'skip', mark: undefined }] } }, ...changes });

  test('that enough items meet lets the run go on without the others', () => {
    const told = losing({ require: { done: { min: 1 } } });
    crash(told, 'write/s1');
    section(told, 's2');
    expect(states(told)).toMatchObject({ 'sections/s1': 'failed', sections: 'done', draft: 'acting' });
    expect(told.run.level).toBe('reduced');
  });

  test('below the quality floor waits for a person, who lets the lost items run again', () => {
    const told = losing({ require: { 'sections.done': { min: 2 }, failed: { max: 0 } } });
    crash(told, 'write/s1');
    section(told, 's2');
    expect(told.run.escalations).toMatchObject([{ type: 'quality_floor', step: 'sections', options: ['restart', 'accept', 'abort'] }]);
    expect(told.run.escalations[0]?.text).toContain('1 of 2 items done');
    told.tell({ kind: 'tick' }, 48 * 3_600_000).tell({ kind: 'decided', escalation: 1, option: 'restart', text: null });
    expect(states(told)).toMatchObject({ 'sections/s1': 'under_way', 'write/s1': 'acting', 'sections/s2': 'done', draft: 'waiting' });
    expect(section(told, 's1').run.steps.sections?.state.kind).toBe('done');
  });

  test('below the quality floor lets items run again at once, although the breaker of each is open', () => {
    const circuitBreaker = {
      scope: 'item',
      failures: 1,
      retryAfterMs: 30 * 60_000,
      whenOpen: 'skip',
      default: undefined,
      afterMs: undefined,
    } as const;
    const write = work('write', 'researcher', { needs: [], circuitBreaker });
    const told = new Told({ ...swarmPlan(), stages: [forEach('all', [write], { require: { done: { min: 2 } } })] }, { list: ['a', 'b'] });
    crash(crash(told, 'write/1'), 'write/2');
    expect(told.run.escalations).toMatchObject([{ type: 'quality_floor' }]);
    told.tell({ kind: 'decided', escalation: 1, option: 'restart', text: null });
    expect(states(told)).toMatchObject({ 'all/1': 'under_way', 'write/1': 'acting' });
  });

  test('on what the items share counts values that two of them name', () => {
    const search = forEach('search', [work('find', 'researcher', { output: { kind: 'files', files: [] } })], {
      of: 'inputs.angles',
      agreeOn: 'papers[].doi',
      maxParallel: 3,
      require: { shared: { min: 2 } },
      onFailure: { unmet: { after: 1, steps: [{ kind: 'retry' }, { kind: 'rollback', to: 'search' }] } },
    });
    const told = new Told({ ...swarmPlan(), stages: [search] }, { angles: ['x', 'y', 'z'] });
    const find = (key: string, ...dois: readonly unknown[]) => {
      const papers = { 'papers.yaml': artifact(dois.map((doi) => ({ doi }))) };
      told.reply(`find/${key}`, { kind: 'started' }).reply(`find/${key}`, { kind: 'finished' });
      return told.reply(`find/${key}`, { kind: 'collected', result: result({ artifacts: papers }) });
    };
    find('1', '10.1/a', '10.1/a', '10.1/b');
    find('2', ' 10.1/A ', null, { doi: 1 });
    find('3', '10.1/c');
    // One value is shared: all items search again.
    expect(states(told)).toMatchObject({ search: 'under_way', 'find/1': 'acting', 'find/2': 'acting', 'find/3': 'acting' });
    find('1', '10.1/a', 7);
    find('2', '10.1/a', '7');
    find('3');
    expect(told.run.status).toBe('done');
  });
});

describe('the time of a for_each', () => {
  const late = () => outlined(SECTIONS, { timeoutMs: 3_600_000 });

  test('that is over asks a person; more time lets the items go on', () => {
    const told = late().tell({ kind: 'tick' }, 3_600_000);
    expect(told.run.escalations).toMatchObject([{ type: 'timeout', step: 'sections' }]);
    section(told, 's1');
    // No item begins while a person is asked.
    expect(states(told)).toMatchObject({ sections: 'asking', 'sections/s1': 'done', 'sections/s3': 'waiting' });
    told.tell({ kind: 'decided', escalation: 1, option: 'extend', text: null });
    expect(states(told)).toMatchObject({ sections: 'under_way', 'write/s3': 'acting', 'write/s2': 'acting' });
  });

  test('that is over can be answered by another try: what is done stays, and what is under way goes on', () => {
    const told = section(late(), 's1').tell({ kind: 'tick' }, 3_600_000);
    told.tell({ kind: 'decided', escalation: 1, option: 'restart', text: null });
    expect(states(told)).toMatchObject({ sections: 'under_way', 'sections/s1': 'done', 'write/s2': 'acting', 'write/s3': 'acting' });
    expect(told.run.compensations).toEqual([]);
  });

  test('does not count while its agents wait for a usage limit', () => {
    const told = late().reply('write/s1', { kind: 'started' }).reply('write/s2', { kind: 'started' });
    told
      .reply('write/s1', { kind: 'parked' })
      .reply('write/s2', { kind: 'parked' })
      .tell({ kind: 'tick' }, 24 * 3_600_000);
    expect(states(told)).toMatchObject({ sections: 'under_way' });
    told.reply('write/s1', { kind: 'unparked' }).tell({ kind: 'tick' }, 3_600_000);
    expect(states(told)).toMatchObject({ sections: 'asking' });
  });

  test('that is over can be answered by going on with what is there', () => {
    const told = outlined(SECTIONS, {
      timeoutMs: 3_600_000,
      onFailure: { timeout: { after: 1, steps: [{ kind: 'skip', mark: 'partial' }] } },
    });
    section(told, 's1').tell({ kind: 'tick' }, 3_600_000);
    expect(states(told)).toMatchObject({
      sections: 'done',
      'sections/s1': 'done',
      'sections/s2': 'skipped',
      'sections/s3': 'skipped',
      draft: 'acting',
    });
    expect(told.actions.filter(({ task }) => task.kind === 'halt').map(({ step }) => step)).toEqual(['write/s2', 'write/s3']);
  });
});

describe('a rollback', () => {
  test('inside an item repeats the item from there', () => {
    const told = outlined(SECTIONS, {
      stages: sectionsPlan()
        .stages.flatMap((stage) => (stage.kind === 'for_each' ? stage.stages : []))
        .map((stage) =>
          stage.id === 'check' ? { ...stage, onFailure: { limit: { after: 1, steps: [{ kind: 'rollback', to: 'write' }] } } } : stage,
        ),
    });
    told.work('write/s1').judge('check/s1', 'a').work('write/s1').judge('check/s1', 'b');
    expect(states(told)).toMatchObject({ 'sections/s1': 'under_way', 'write/s1': 'acting', 'check/s1': 'waiting', 'write/s2': 'acting' });
    expect(attempts(told).at(-1)).toMatchObject({ step: 'write/s1', conversation: 'fresh', continues: [] });
  });

  test('to a stage before the for_each reads the list again', () => {
    const told = outlined(SECTIONS, {
      require: { done: { min: 9 } },
      onFailure: { unmet: { after: 1, steps: [{ kind: 'rollback', to: 'outline' }] } },
    });
    section(section(section(told, 's1'), 's2'), 's3');
    expect(states(told)).toEqual({ outline: 'acting', sections: 'waiting', draft: 'waiting' });
    told.reply('outline', { kind: 'started' }).reply('outline', { kind: 'finished' });
    told.reply('outline', { kind: 'collected', result: result({ artifacts: { 'outline.yaml': artifact({ sections: [{ id: 'x' }] }) } }) });
    expect(states(told)).toMatchObject({ 'sections/x': 'under_way', 'write/x': 'acting' });
  });
});
