import { describe, expect, test } from 'vitest';
import type { ForEachStage, Plan, Stage } from '../../definition/plan.ts';
import type { Resumption } from '../../model/event.ts';
import { forEach, result, review, Story, sectionsPlan, swarmPlan, work } from '../samples.ts';
import { openBefore } from './resume-choices.ts';
import { skipEffect } from './skip-effect.ts';

const PAUSE = { kind: 'pause', now: true } as const;
const resume = (how: Resumption) => ({ kind: 'resume', how }) as const;
const to = (stage: string) => resume({ kind: 'skip_to', stage });
const marksOf = ({ run }: Story, address: string) => run.steps[address]?.marks;

/** The outline of these sections is there, and their items have begun. */
function outlined(keys: readonly string[], changes: Partial<ForEachStage> = {}, plan: Plan = sectionsPlan(changes)): Story {
  const value = { sections: keys.map((id) => ({ id, title: id })) };
  const story = new Story(plan).turn('outline');
  const artifacts = { 'outline.yaml': { path: 'outline.yaml', sha256: '', value } };
  return story.tell({ kind: 'collected', action: story.action('outline'), result: result({ artifacts }) });
}

/** Two sections of three are done, and the writer of the last one is at work. */
function sections(changes: Partial<ForEachStage> = {}): Story {
  const story = outlined(['s1', 's2', 's3'], { maxParallel: 1, ...changes });
  for (const key of ['s1', 's2']) story.work(`write/${key}`, key).judge(`check/${key}`);
  return story.tell({ kind: 'started', action: story.action('write/s3') });
}

const decide = (story: Story, option: string, text: string | null = null) => {
  const open = story.run.escalations.find(({ answer }) => answer === null);
  return story.tell({ kind: 'decided', escalation: open?.number ?? 0, option, text });
};

describe('to skip to a stage', () => {
  test('uses the items that are done, leaves out the others, and keeps a warning', () => {
    const story = sections().tell(PAUSE);
    expect(openBefore(story.run, 'draft')).toEqual(['sections']);
    expect(skipEffect(story.run, 'draft', [])).toEqual({ left: ['sections/s3'], unverified: [], asks: [] });
    story.tell(to('draft'));
    expect(story.states()).toMatchObject({ sections: 'done', 'sections/s1': 'done', 'sections/s3': 'skipped', draft: 'acting' });
    expect(marksOf(story, 'sections')).toEqual(['partial']);
    expect(story.run.warnings).toEqual(['a person skipped to draft: sections/s3 left out, so the results may have gaps']);
  });

  test('leaves out stages that have not begun', () => {
    const story = new Story().tell(PAUSE).tell(to('develop'));
    expect(story.states()).toMatchObject({ research: 'skipped', develop: 'acting' });
    expect(story.run.steps.research?.state).toMatchObject({ cause: 'person' });
  });

  test('leaves nothing out if everything before it has ended', () => {
    const story = new Story().work('research').tell(PAUSE).tell(to('develop'));
    expect(story.states()).toMatchObject({ research: 'done', develop: 'acting' });
    expect(story.run.warnings).toEqual([]);
  });

  test('that the run does not have, or a second time, changes nothing', () => {
    const story = sections().tell(PAUSE);
    expect(skipEffect(story.run, 'constructor', [])).toEqual({ left: [], unverified: [], asks: [] });
    story.tell(to('draft'));
    const { version: _version, ...before } = story.run;
    expect(story.tell(to('draft')).run).toMatchObject(before);
  });
});

describe('what is there stays', () => {
  test('sections that only wait for their check are used without it', () => {
    const story = outlined(['s1', 's2', 's3', 's4'], { maxParallel: 4, require: { done: { min: 3 } } });
    for (const key of ['s1', 's2', 's3', 's4']) story.work(`write/${key}`, key);
    story.judge('check/s4').tell(PAUSE);
    const unverified = ['write/s1', 'write/s2', 'write/s3'];
    expect(skipEffect(story.run, 'draft', [])).toEqual({ left: [], unverified, asks: [] });
    story.tell(to('draft'));
    for (const key of ['s1', 's2', 's3', 's4'])
      expect(story.states()).toMatchObject({ [`sections/${key}`]: 'done', [`write/${key}`]: 'done' });
    expect([marksOf(story, 'sections'), marksOf(story, 'sections/s1'), marksOf(story, 'sections/s4')]).toEqual([
      ['unverified'],
      ['unverified'],
      [],
    ]);
    expect(story.run.warnings).toEqual([`a person skipped to draft: ${unverified.join(', ')} are unverified`]);
    expect(story.run.losses).toEqual(
      ['s1', 's2', 's3'].map((key) => ({
        step: `check/${key}`,
        impact: `write/${key} was not checked to its end`,
        mitigation: 'it is marked unverified',
      })),
    );
    const draft = story.actions.findLast(({ step, task }) => step === 'draft' && task.kind === 'attempt')?.task;
    expect(draft).toMatchObject({ prompt: expect.stringContaining('Join 4 sections.') });
    expect(story.work('draft').run.status).toBe('done');
  });

  test('an item whose last stage a person approved in the pause is done', () => {
    const byPerson = [work('write', 'developer'), review('approve', 'write', { by: { kind: 'person' } })];
    const story = outlined(['s1', 's2'], { stages: byPerson, maxParallel: 2, require: { done: { min: 1 } } });
    story.work('write/s1', 'c').tell({ kind: 'started', action: story.action('write/s2') });
    decide(story.tell(PAUSE), 'approve');
    expect(story.states()).toMatchObject({ 'sections/s1': 'under_way' });
    story.tell(to('draft'));
    expect(story.states()).toMatchObject({ 'sections/s1': 'done', 'sections/s2': 'skipped', sections: 'done', draft: 'acting' });
    expect(marksOf(story, 'sections/s1')).toEqual([]);
  });

  test('work that was sent back keeps its last result, and its agent stops', () => {
    const story = outlined(['s1'], { maxParallel: 1 }).work('write/s1', 'c1').judge('check/s1', 'too long');
    story
      .tell({ kind: 'started', action: story.action('write/s1') })
      .tell(PAUSE)
      .tell(to('draft'));
    expect(story.run.steps['write/s1']).toMatchObject({ state: { kind: 'done' }, result: { commit: 'c1' }, marks: ['unverified'] });
    expect(story.run.steps['check/s1']).toMatchObject({ state: { kind: 'skipped' }, result: { verdict: { issues: ['too long'] } } });
    expect(story.states()).toMatchObject({ 'sections/s1': 'done', draft: 'acting' });
    expect(story.tasks('write/s1')).toContain('write/s1: halt');
  });

  test('so does work outside of items, and a person lands it', () => {
    const story = new Story(swarmPlan(([research, develop, check, land]) => [research, develop, check, { ...land, by: 'run' }] as never));
    story.work('research').work('develop', 'c1').judge('review', 'no test').tell(PAUSE);
    expect(skipEffect(story.run, 'land', [])).toEqual({ left: [], unverified: ['develop'], asks: [] });
    story.tell(to('land'));
    expect(story.actions.at(-1)?.task).toMatchObject({ kind: 'land', commit: 'c1', by: 'person', marks: ['unverified'] });
  });

  test('a result that its agent has left is collected before the run goes on', () => {
    const story = outlined(['s1', 's2'], { maxParallel: 2 }).turn('write/s1');
    story
      .tell({ kind: 'started', action: story.action('write/s2') })
      .tell(PAUSE)
      .tell(to('draft'));
    expect(story.states()).toMatchObject({ 'write/s1': 'acting', 'sections/s2': 'skipped', sections: 'under_way', draft: 'waiting' });
    expect(story.run.losses.map(({ step }) => step)).toEqual(['check/s1', 'sections/s2']);
    story.tell({ kind: 'collected', action: story.action('write/s1'), result: result({ commit: 'c' }) });
    expect(story.states()).toMatchObject({ 'sections/s1': 'done', sections: 'done', draft: 'acting' });
    expect([marksOf(story, 'sections/s1'), marksOf(story, 'sections')]).toEqual([['unverified'], ['unverified', 'partial']]);
  });

  test('results of an item that lacks more than a check are there for later stages, marked', () => {
    const stages = [work('write', 'developer'), review('check', 'write'), work('polish', 'developer', { needs: ['check'] })];
    const story = outlined(['s1'], { stages }).work('write/s1', 'c').tell(PAUSE).tell(to('draft'));
    expect(story.states()).toMatchObject({ 'write/s1': 'done', 'check/s1': 'skipped', 'polish/s1': 'skipped', 'sections/s1': 'skipped' });
    expect(marksOf(story, 'write/s1')).toEqual(['unverified']);
  });
});

test('a check that was left out and begins again takes its mark from the work, unless another one stays left out', () => {
  const tests = review('tests', 'develop', { needs: ['review'] });
  const plan = swarmPlan((stages) =>
    stages.flatMap((stage): readonly Stage[] => (stage.kind === 'land' ? [tests, { ...stage, needs: ['tests'] }] : [stage])),
  );
  const skipped = () => new Story(plan).work('research').work('develop', 'c1').tell(PAUSE).tell(to('land'));
  expect(marksOf(skipped(), 'develop')).toEqual(['unverified']);
  const again = (address: string) =>
    skipped()
      .tell(PAUSE)
      .tell(resume({ kind: 'again', address }));
  expect(marksOf(again('tests'), 'develop')).toEqual(['unverified']);
  const both = again('review');
  expect(marksOf(both, 'develop')).toEqual([]);
  // Its work was offered for a review, which is taken back first.
  both
    .tell({ kind: 'undone', action: both.action('review'), revert: null })
    .judge('review')
    .judge('tests');
  expect(both.actions.at(-1)?.task).toMatchObject({ kind: 'land', marks: [] });
});

describe('a stage that is left below its requirement', () => {
  const floor = () => sections({ require: { done: { min: 3 } } }).tell(PAUSE);

  test('asks before the run goes on', () => {
    const story = floor();
    expect(skipEffect(story.run, 'draft', [])).toEqual({ left: ['sections/s3'], unverified: [], asks: ['sections'] });
    story.tell(to('draft'));
    expect(story.run.escalations).toMatchObject([{ type: 'quality_floor', step: 'sections', options: ['restart', 'accept', 'abort'] }]);
    expect(story.run.escalations[0]?.text).toBe('what sections left does not meet its requirement: 2 of 3 items done');
    expect(story.states()).toMatchObject({ sections: 'asking', draft: 'waiting' });
    expect(story.tick(48 * 3_600_000).states()).toMatchObject({ sections: 'asking', draft: 'waiting' });
  });

  test('goes on without the missing items if a person accepts that', () => {
    const story = decide(floor().tell(to('draft')), 'accept');
    expect(story.states()).toMatchObject({ sections: 'done', 'sections/s3': 'skipped', draft: 'acting' });
    expect(marksOf(story, 'sections')).toEqual(['partial']);
  });

  test('tries the items again that were left out, and no others', () => {
    const story = decide(floor().tell(to('draft')), 'restart');
    expect(story.states()).toMatchObject({ sections: 'under_way', 'sections/s1': 'done', 'write/s3': 'acting', draft: 'waiting' });
    expect([story.run.losses, marksOf(story, 'sections')]).toEqual([[], []]);
    story.work('write/s3', 'c').judge('check/s3').work('draft');
    expect(story.run.status).toBe('done');
  });

  test('lacks nothing any more when a person lets the item that was left out begin again', () => {
    const story = floor().tell(to('draft'));
    expect(story.run.losses.map(({ step }) => step)).toEqual(['sections/s3']);
    story.tell(PAUSE).tell(resume({ kind: 'again', address: 'sections/s3' }));
    expect(story.states()).toMatchObject({ sections: 'under_way', 'sections/s3': 'under_way', 'write/s3': 'acting' });
    expect([story.run.losses, marksOf(story, 'sections')]).toEqual([[], []]);
  });

  test('tries items again, and keeps the losses and the marks of those that stay', () => {
    const story = outlined(['s1', 's2'], { maxParallel: 2, require: { done: { min: 2 } } });
    story.work('write/s1', 'c').tell({ kind: 'started', action: story.action('write/s2') });
    story.tell(PAUSE).tell(to('draft'));
    expect(story.run.losses.map(({ step }) => step)).toEqual(['check/s1', 'sections/s2']);
    decide(story, 'restart');
    expect(story.run.losses.map(({ step }) => step)).toEqual(['check/s1']);
    expect(marksOf(story, 'sections')).toEqual(['unverified']);
  });

  test('asks whatever the workflow file says about it: a person has skipped it', () => {
    const onFailure = { unmet: { after: 1, steps: [{ kind: 'rollback', to: 'outline' } as const] } };
    const story = sections({ require: { done: { min: 3 } }, onFailure })
      .tell(PAUSE)
      .tell(to('draft'));
    expect(story.states()).toMatchObject({ outline: 'done', sections: 'asking' });
  });

  test('does not ask twice: the open question stays', () => {
    const story = outlined(['s1'], { require: { done: { min: 2 } } })
      .work('write/s1', 'c')
      .judge('check/s1');
    story.tell(PAUSE).tell(to('draft'));
    expect(story.run.escalations).toMatchObject([{ type: 'quality_floor', answer: null }]);
    expect(story.states()).toMatchObject({ sections: 'asking', draft: 'waiting' });
  });

  test('is asked about also if it has not begun, and can begin then', () => {
    const list = forEach('sections', [work('write', 'developer')], { require: { done: { min: 1 } }, needs: ['outline'] });
    const plan = { ...swarmPlan(), stages: [work('outline', 'researcher'), list, work('draft', 'researcher', { needs: ['sections'] })] };
    const made = () => {
      const story = new Story(plan);
      story.run = { ...story.run, inputs: { list: ['a', 'b'] } };
      return story.tell(PAUSE).tell(to('draft'));
    };
    expect(made().run.escalations).toMatchObject([
      { type: 'quality_floor', options: ['restart', 'skip', 'abort'], recommended: 'restart' },
    ]);
    const begun = decide(made(), 'restart').work('write/1', 'c1').work('write/2', 'c2');
    expect(begun.states()).toMatchObject({ outline: 'skipped', sections: 'done', draft: 'acting' });
    expect(decide(made(), 'skip').states()).toMatchObject({ sections: 'skipped', draft: 'acting' });
  });

  test('without its list can only be left out, which is not recommended', () => {
    const story = new Story(sectionsPlan({ require: { done: { min: 1 } } })).tell(PAUSE).tell(to('draft'));
    expect(story.run.escalations).toMatchObject([{ type: 'quality_floor', options: ['skip', 'abort'], recommended: 'abort' }]);
  });

  test('may be the work of one agent: what it left counts, if the person accepts it', () => {
    const required = work('research', 'researcher', { require: { 'research.answer': { is: 'yes' } } });
    const plan = swarmPlan(([, ...rest]) => [required, ...rest]);
    const unfinished = new Story(plan).tell(PAUSE).tell(to('develop'));
    expect(unfinished.run.escalations).toMatchObject([{ type: 'quality_floor', options: ['restart', 'skip', 'abort'] }]);
    expect(decide(unfinished, 'restart').states()).toMatchObject({ research: 'acting', develop: 'waiting' });
    const below = new Story(plan).work('research', 'c').tell(PAUSE).tell(to('develop'));
    expect(below.run.escalations.at(-1)).toMatchObject({ type: 'quality_floor', options: ['restart', 'accept', 'abort'] });
    expect(decide(below, 'accept').states()).toMatchObject({ research: 'done', develop: 'acting' });
  });
});
