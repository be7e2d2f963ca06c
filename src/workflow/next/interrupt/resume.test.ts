import { describe, expect, test } from 'vitest';
import type { Resumption } from '../../model/event.ts';
import { result, Story, sectionsPlan } from '../samples.ts';
import { restartable } from './resume-choices.ts';

const NOW = { kind: 'pause', now: true } as const;
const resume = (how: Resumption = { kind: 'go_on' }) => ({ kind: 'resume', how }) as const;

/** Two sections of three are done, and the writer of the last one is at work. */
function sections(): Story {
  const value = { sections: ['s1', 's2', 's3'].map((id) => ({ id, title: id })) };
  const story = new Story(sectionsPlan({ maxParallel: 1 })).turn('outline');
  const artifacts = { 'outline.yaml': { path: 'outline.yaml', sha256: '', value } };
  story.tell({ kind: 'collected', action: story.action('outline'), result: result({ artifacts }) });
  for (const key of ['s1', 's2']) story.work(`write/${key}`, key).judge(`check/${key}`);
  return story.tell({ kind: 'started', action: story.action('write/s3') });
}

test('a run that is not paused is not resumed', () => {
  const story = new Story();
  const before = story.run;
  expect({ ...story.tell(resume()).run, version: 0 }).toEqual({ ...before, version: 0 });
});

test('a run that still pauses goes on at once', () => {
  const story = new Story().tell({ kind: 'started', action: 'swarm-1.1' }).tell({ kind: 'pause', now: false }).tell(resume());
  expect(story.run).toMatchObject({ status: 'running', pause: null });
  expect(story.tasks()).toEqual(['research: attempt', 'research: save', 'research: halt', 'research: rest', 'research: attempt']);
});

test('a run can be paused and resumed again and again, and each piece of work is done once', () => {
  const story = sections();
  for (let times = 0; times < 3; times += 1)
    story
      .tell(NOW)
      .tell(resume())
      .tell({ kind: 'started', action: story.action('write/s3') });
  expect(story.run.steps['write/s3']).toMatchObject({ tries: 1, failures: {} });
  story.tell({ kind: 'finished', action: story.action('write/s3') });
  story
    .tell({ kind: 'collected', action: story.action('write/s3'), result: result() })
    .judge('check/s3')
    .work('draft');
  expect(story.run.status).toBe('done');
});

describe('from a stage', () => {
  test('it and everything after it run again, and the results go to the archive', () => {
    const story = sections()
      .tell(NOW)
      .tell(resume({ kind: 'again', address: 'outline' }));
    expect(story.states()).toEqual({ outline: 'acting', sections: 'waiting', draft: 'waiting' });
    expect(story.run.compensations).toMatchObject([{ stage: 'outline', steps: expect.arrayContaining(['outline', 'write/s1']) }]);
    expect(story.actions.at(-1)?.task).toMatchObject({ kind: 'attempt', conversation: 'fresh', continues: [] });
  });

  test('an item begins again as soon as its window has a place, and the others stay', () => {
    const story = sections()
      .tell(NOW)
      .tell(resume({ kind: 'again', address: 'sections/s2' }));
    expect(story.states()).toMatchObject({ 'sections/s2': 'waiting', 'write/s1': 'done', 'write/s3': 'acting' });
    expect(story.states()).not.toHaveProperty('write/s2');
    story.work('write/s3', 'c').judge('check/s3');
    expect(story.states()).toMatchObject({ 'sections/s2': 'under_way', 'write/s1': 'done', 'write/s2': 'acting', 'check/s2': 'waiting' });
  });

  test('one stage of an item begins again, and what the item has done before it stays', () => {
    const story = sections()
      .tell(NOW)
      .tell(resume({ kind: 'again', address: 'check/s2' }));
    story.work('write/s3', 'c').judge('check/s3');
    expect(story.states()).toMatchObject({ 'sections/s2': 'under_way', 'write/s2': 'done', 'check/s2': 'acting' });
  });

  test('an item begins again while a person is asked about all of them, and the question is gone', () => {
    const value = { sections: [{ id: 's1', title: 's1' }] };
    const story = new Story(sectionsPlan({ require: { done: { min: 2 } } })).turn('outline');
    const artifacts = { 'outline.yaml': { path: 'outline.yaml', sha256: '', value } };
    story.tell({ kind: 'collected', action: story.action('outline'), result: result({ artifacts }) });
    story.work('write/s1', 'c').judge('check/s1');
    expect(story.states()).toMatchObject({ sections: 'asking' });
    story.tell(NOW).tell(resume({ kind: 'again', address: 'sections/s1' }));
    expect(story.states()).toMatchObject({ sections: 'under_way', 'write/s1': 'acting' });
    expect(story.run.escalations).toMatchObject([{ type: 'quality_floor', answer: { option: 'rollback' } }]);
  });

  test('what has not begun cannot begin again', () => {
    const { run } = sections().tell(NOW);
    expect(restartable(run, 'draft')).toEqual([]);
    expect(restartable(run, 'nothing')).toEqual([]);
    expect(restartable(run, 'write/s3')).toEqual(['write/s3']);
    expect(restartable(run, 'sections')).toEqual(['sections']);
  });

  test.each(['sections/s2', 'check/s2'])('%s begins again after the stage behind its list has used it: so does that stage', (address) => {
    const story = sections();
    story.tell({ kind: 'finished', action: story.action('write/s3') });
    story.tell({ kind: 'collected', action: story.action('write/s3'), result: result() }).judge('check/s3');
    story.tell({ kind: 'started', action: story.action('draft') }).tell(NOW);
    expect(story.states()).toMatchObject({ sections: 'done', draft: 'cooling' });
    story.tell(resume({ kind: 'again', address }));
    expect(story.states()).toMatchObject({ sections: 'under_way', 'sections/s1': 'done', 'sections/s3': 'done', draft: 'waiting' });
    if (address === 'sections/s2') story.work('write/s2', 'again');
    expect(story.states()).toMatchObject({ 'write/s2': 'done', 'check/s2': 'acting' });
    expect(story.judge('check/s2').work('draft').run.status).toBe('done');
  });

  test('an item that others stand on begins again with these, and only its own agents are told why', () => {
    const after = { s1: [], s2: ['s1'], s3: [] };
    const value = { sections: Object.entries(after).map(([id, before]) => ({ id, title: id, after: before })) };
    const story = new Story(sectionsPlan({ maxParallel: 1 })).turn('outline');
    const artifacts = { 'outline.yaml': { path: 'outline.yaml', sha256: '', value } };
    story.tell({ kind: 'collected', action: story.action('outline'), result: result({ artifacts }) });
    for (const key of ['s1', 's2']) story.work(`write/${key}`, key).judge(`check/${key}`);
    story.tell(NOW).tell(resume({ kind: 'again', address: 'sections/s1' }));
    expect(story.run.compensations).toMatchObject([{ stage: 'sections', items: ['sections/s1', 'sections/s2'] }]);
    for (const key of ['s3', 's1', 's2']) story.work(`write/${key}`, key).judge(`check/${key}`);
    const told = story.actions.flatMap(({ step, task }) =>
      task.kind === 'attempt' && task.prompt.includes('An earlier result was not used') ? [step] : [],
    );
    expect([...new Set(told)].toSorted()).toEqual(['write/s1', 'write/s2']);
    expect(story.work('draft').run.status).toBe('done');
  });
});

describe('an item that was left out because another one was not done', () => {
  /** One section fails, so those that need it are left out; the last one is under way. */
  const epic = (): Story => {
    const after = { s1: [], s2: ['s1'], s3: ['s2'], s4: ['s3', 's2'], s5: [] };
    const value = { sections: Object.entries(after).map(([id, before]) => ({ id, title: id, after: before })) };
    const story = new Story(sectionsPlan({ onFailure: { crash: { after: 1, steps: [{ kind: 'skip', mark: undefined }] } } })).turn(
      'outline',
    );
    const artifacts = { 'outline.yaml': { path: 'outline.yaml', sha256: '', value } };
    story.tell({ kind: 'collected', action: story.action('outline'), result: result({ artifacts }) });
    story
      .tell({ kind: 'started', action: story.action('write/s5') })
      .work('write/s1')
      .judge('check/s1');
    story.crash('write/s2').tell(NOW);
    expect(story.states()).toMatchObject({ 'sections/s2': 'failed', 'sections/s3': 'skipped', 'sections/s5': 'under_way' });
    return story;
  };
  const finish = (story: Story, ...keys: readonly string[]) => {
    for (const key of keys) story.work(`write/${key}`, key).judge(`check/${key}`);
  };

  test.each(['sections/s2', 'sections/s3', 'sections/s4'])('comes back with %s, after what it waits for', (address) => {
    const story = epic().tell(resume({ kind: 'again', address }));
    expect(story.states()).toMatchObject({ 'write/s2': 'acting', 'sections/s3': 'waiting' });
    finish(story, 's5', 's2', 's3', 's4');
    story.work('draft');
    expect(Object.values(story.states())).toEqual(Object.values(story.states()).map(() => 'done'));
    expect(story.run.status).toBe('done');
  });

  test('begins with the items that it lacks, and each of them once', () => {
    const { run } = epic();
    const all = ['sections/s2', 'sections/s3', 'sections/s4'];
    for (const address of all) expect(restartable(run, address)).toEqual(all);
    expect(restartable(run, 'write/s2')).toEqual(['sections/s3', 'sections/s4', 'write/s2']);
    expect(restartable(run, 'sections/s1')).toEqual(['sections/s1', ...all]);
  });

  test('is left out again if the other one fails again', () => {
    const story = epic().tell(resume({ kind: 'again', address: 'sections/s2' }));
    story.crash('write/s2');
    expect(story.states()).toMatchObject({ 'sections/s2': 'failed', 'sections/s3': 'skipped', sections: 'under_way' });
    story.tell(NOW).tell(resume({ kind: 'again', address: 'sections/s3' }));
    expect(story.states()).toMatchObject({ 'write/s2': 'acting', 'sections/s3': 'waiting' });
  });

  test('stays out if a person left it out', () => {
    const story = epic();
    const own = story.run.steps['sections/s3'];
    if (own === undefined) throw new Error('the item is gone');
    const state = { kind: 'skipped', why: '', cause: 'person' } as const;
    story.run = { ...story.run, steps: { ...story.run.steps, 'sections/s3': { ...own, state } } };
    story.tell(resume({ kind: 'again', address: 'sections/s2' }));
    finish(story, 's5', 's2');
    expect(story.states()).toMatchObject({ 'sections/s2': 'done', 'sections/s3': 'skipped', 'sections/s4': 'skipped' });
  });
});
