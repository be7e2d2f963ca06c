import { describe, expect, test } from 'vitest';
import type { Verdict } from '../model/run.ts';
import { Play } from './built-in.fixture.ts';

type Cast = ConstructorParameters<typeof Play>[2];
type Mishaps = NonNullable<NonNullable<Cast>['mishaps']>[string];

const remark: Verdict = { verdict: 'changes', issues: ['It still fails.'] };
const remarks = (count: number): readonly Verdict[] => Array.from({ length: count }, () => remark);
const crashes = (count: number): Mishaps => Array.from({ length: count }, () => 'crash' as const);
const marks = ({ run }: Play, step: string) => run.steps[step]?.marks ?? [];
const agents = ({ told: { actions } }: Play, step: string) =>
  actions.flatMap(({ step: of, task }) => (of === step && task.kind === 'attempt' ? [task.agent] : []));

describe('fix-issues', () => {
  const FIX = { decision: 'fix', reason: 'An empty input throws in the parser.', reproduced: true };
  const ISSUES = ['7', '8'].map((id) => ({ id, title: `Issue ${id}`, text: 'It crashes.' }));
  const issues = (cast: Cast) => new Play('fix-issues', { issues: ISSUES }, { files: { 'triage.yaml': FIX }, ...cast });

  test.each([
    [1, ['own', 'own']],
    [2, ['own', 'own', 'fallback']],
  ])('the agent of a fix crashes %i times: %j, and the fix lands', (count, used) => {
    const play = issues({ mishaps: { 'fix/7': crashes(count) } });
    expect(agents(play, 'fix/7')).toEqual(used);
    expect(play.states()).toMatchObject({ 'fix/7': 'done', 'land/7': 'done', 'issues/7': 'done', 'issues/8': 'done' });
    expect(play.run.escalations).toEqual([]);
  });

  test('the agent of a fix and its fallback crash: the issue is left, and the other one is fixed', () => {
    const play = issues({ mishaps: { 'fix/7': crashes(4) } });
    expect(agents(play, 'fix/7')).toEqual(['own', 'own', 'fallback', 'fallback']);
    expect(marks(play, 'fix/7')).toEqual(['not finished']);
    expect(play.states()).toMatchObject({ 'fix/7': 'skipped', 'land/7': 'skipped', 'issues/7': 'failed', 'issues/8': 'done' });
    expect(play.run).toMatchObject({ status: 'done', escalations: [] });
    expect(play.run.warnings).toEqual([expect.stringMatching(/^fix\/7: .+; marked not finished$/)]);
  });

  test('the review has remarks in its last round: the fix is offered all the same, marked partial', () => {
    const play = issues({ verdicts: { 'review/7': remarks(3) } });
    expect(play.run.steps['fix/7']).toMatchObject({ round: 3, marks: ['partial'] });
    expect(play.states()).toMatchObject({ 'review/7': 'skipped', 'land/7': 'done', 'issues/7': 'done' });
    expect(play.run.status).toBe('done');
  });
});

describe('stories', () => {
  const CRITERIA = { criteria: [{ id: 'c1', expected: 'the list is empty', how: 'npm test' }], tasks: ['parse'] };
  const STORIES = ['s1', 's2'].map((id) => ({ id, title: `Story ${id}`, text: 'What it is.' }));
  const stories = (cast: Cast) =>
    new Play('stories', { epic: { stories: STORIES, text: '' }, unattended: false }, { files: { 'criteria.yaml': CRITERIA }, ...cast });
  const asked = ({ run }: Play) => run.escalations.map(({ step, type, answer }) => [step, type, answer?.option]);

  test.each([
    [1, ['own', 'own']],
    [2, ['own', 'own', 'fallback']],
  ])('the developer crashes %i times: %j, and the story lands', (count, used) => {
    const play = stories({ mishaps: { 'develop/s1': crashes(count) } });
    expect(agents(play, 'develop/s1')).toEqual(used);
    expect(play.states()).toMatchObject({ 'land/s1': 'done', 'stories/s2': 'done' });
    expect(play.run.escalations).toEqual([]);
  });

  test.each([
    ['restart', { 'develop/s1': 'done', 'land/s1': 'done', 'stories/s2': 'done' }],
    ['skip', { 'develop/s1': 'skipped', 'land/s1': 'skipped', 'stories/s2': 'done' }],
  ])('the developer and its fallback crash: a person is asked, and %s goes on with the epic', (option, states) => {
    const play = stories({ mishaps: { 'develop/s1': crashes(4) }, answers: { 'develop/s1': [option] } });
    expect(asked(play)).toEqual([['develop/s1', 'crash', option]]);
    expect(play.run.escalations).toMatchObject([{ deadline: null }]);
    expect(play.states()).toMatchObject(states);
    expect(play.run.status).toBe('done');
  });

  test('the planner, which has no fallback, crashes twice: a person is asked', () => {
    const play = stories({ mishaps: { 'create/s1': crashes(2) } });
    expect(agents(play, 'create/s1').slice(0, 2)).toEqual(['own', 'own']);
    expect(play.run.escalations).toMatchObject([{ step: 'create/s1', deadline: null }]);
    expect(play.run.status).toBe('done');
  });

  test('the criteria do not hold in the last round: a person is asked, with the remarks', () => {
    const play = stories({ verdicts: { 'verify/s1': remarks(2) }, answers: { 'verify/s1': ['accept'] } });
    expect(asked(play)).toEqual([['verify/s1', 'unmet', 'accept']]);
    expect(play.run.escalations[0]?.text).toContain('It still fails.');
    expect(play.run).toMatchObject({ status: 'done', steps: { 'land/s1': { state: { kind: 'done' } } } });
  });

  test('the review has remarks in its last round: the story is offered all the same, marked partial', () => {
    const play = stories({ verdicts: { 'review/s1': remarks(3) } });
    expect(marks(play, 'develop/s1')).toEqual(['partial']);
    expect(play.states()).toMatchObject({ 'review/s1': 'skipped', 'land/s1': 'done', 'stories/s2': 'done' });
  });
});
