import { describe, expect, test } from 'vitest';
import type { Verdict } from '../model/run.ts';
import { LITERATURE, Play, QUESTION, synthesis } from './built-in.fixture.ts';

const OUTLINE = LITERATURE['outline.yaml'];
const FILES = { ...LITERATURE, 'outline.yaml': { ...OUTLINE, sections: OUTLINE.sections.slice(0, 3) } };

type Cast = ConstructorParameters<typeof Play>[2];

const review = (cast: Cast = {}, inputs = {}) => new Play('literature-review', { ...QUESTION, ...inputs }, { files: FILES, ...cast });
const remark: Verdict = { verdict: 'changes', issues: ['The figure is not in the source.'] };
const remarks = (count: number): readonly Verdict[] => Array.from({ length: count }, () => remark);
const inconsistent: Verdict = { verdict: 'inconsistent', issues: ['s2 says a third, s5 says a half.'] };
const noThesis: Verdict = { verdict: 'cannot_judge', issues: ['Each paragraph is about something else.'] };
const marks = ({ run }: Play, step: string) => run.steps[step]?.marks ?? [];
const told = ({ told: { actions } }: Play, step: string) =>
  actions.flatMap(({ step: of, task }) => (of === step && task.kind === 'follow_up' ? [task.text] : []));
const archived = ({ told: { actions } }: Play) => actions.flatMap(({ step, task }) => (task.kind === 'archive' ? [step] : []));
const agents = ({ told: { actions } }: Play, step: string) =>
  actions.flatMap(({ step: of, task }) => (of === step && task.kind === 'attempt' ? [task.agent] : []));
const notShared = (key: string) => [{ ...FILES['reviews.yaml'][0], doi: `10.1000/${key}` }];

describe('compensation of literature-review', () => {
  test('stage 1: a person aborts; the run ends, and the scope is kept', () => {
    const play = review({ answers: { '1-approval': ['abort'] } }, { tier: 'complex', high_stakes: true });
    expect(play.run).toMatchObject({ status: 'aborted', compensations: [] });
    expect(Object.keys(play.run.steps['1']?.result?.artifacts ?? {})).toContain('scope.yaml');
    expect(play.prompts('search/reviews')).toEqual([]);
  });

  test('stage 2: fewer than two shared papers; the reviews are archived, and discovery is tried again', () => {
    const play = review({ files: { ...FILES, 'reviews.yaml': notShared } });
    expect(play.run.compensations).toMatchObject([{ stage: '2', action: 'retry', steps: ['search/critics', 'search/reviews'] }]);
    expect(play.prompts('search/reviews')).toHaveLength(2);
    expect(archived(play)).toEqual(expect.arrayContaining(['search/reviews', 'search/critics']));
  });

  test('stage 2: the search that is tried again finds shared papers; nothing is marked', () => {
    let written = 0;
    const once = (key: string) => {
      written += 1;
      return written > 2 ? LITERATURE['reviews.yaml'] : notShared(key);
    };
    const play = review({ files: { ...FILES, 'reviews.yaml': once } });
    expect(play.run.compensations).toMatchObject([{ stage: '2', action: 'retry' }]);
    expect([marks(play, '2'), play.states()['2']]).toEqual([[], 'done']);
  });

  test('stage 2: the search takes too long; the run goes on with the reviews that are there, marked partial', () => {
    const play = review({ mishaps: { 'search/critics': Array.from({ length: 9 }, () => 'timeout' as const) } });
    expect(play.states()).toMatchObject({ '2': 'done', 'search/reviews': 'done', 'search/critics': 'skipped', '3': 'done' });
    expect(marks(play, '2')).toEqual(['partial']);
    expect(play.prompts('3')[0]).toContain('1 of 2 angles have a\nresult');
    expect(play.run.status).toBe('done');
  });

  test('stage 3: a person rejects the outline twice; it is archived, and the search begins again with their words', () => {
    const play = review({ answers: { '3-approval': ['reject', 'reject', 'approve'] } });
    expect(play.run.compensations).toMatchObject([
      { stage: '2', action: 'rollback', steps: expect.arrayContaining(['3', 'search/reviews']) },
    ]);
    expect(play.prompts('search/reviews')[1]).toContain('- Not yet.');
    expect(play.run.status).toBe('done');
  });

  test('stage 4: the introduction contradicts the approved outline; it is made again from the outline, which stays', () => {
    const play = review({ verdicts: { '4-check': [inconsistent] } });
    expect(play.run.compensations).toMatchObject([{ stage: '4', steps: expect.arrayContaining(['4']) }]);
    expect([play.prompts('3').length, play.prompts('4').length]).toEqual([1, 2]);
    expect(play.prompts('4')[1]).toContain('- s2 says a third, s5 says a half.');
    expect(play.run.escalations.filter(({ type }) => type === 'compensation')).toEqual([]);
  });

  test('stage 5: a section fails its validation three times; it is archived and given to another agent', () => {
    const play = review({ verdicts: { '6a/s2': remarks(3) } });
    expect(play.run.compensations).toMatchObject([{ stage: '5/s2', action: 'reassign' }]);
    expect(agents(play, '5/s2')).toEqual(['own', 'fallback']);
    expect(archived(play)).toContain('5/s2');
    expect(play.states()['sections/s2']).toBe('done');
  });

  test('stage 6a: a validation fails; the writer gets the issues', () => {
    const play = review({ verdicts: { '6a/s1': remarks(1) } });
    expect(told(play, '5/s1')).toEqual([expect.stringContaining('- The figure is not in the source.')]);
    expect(play.run.compensations).toEqual([]);
  });

  test('stage 6b: the deep check takes too long; the section is marked for a check by hand', () => {
    const play = review({ mishaps: { '6b/s1': ['timeout'] } });
    expect(marks(play, '5/s1')).toContain('check by hand');
    expect(play.run.status).toBe('done');
  });

  test('stage 6c: the advocate takes too long; the section passes as uncertain, and the editor is told', () => {
    const play = review({ mishaps: { '6c/s3': ['timeout'] } });
    expect(marks(play, '5/s3')).toContain('uncertain');
    expect(play.prompts('8')[0]).toContain('5/s3/section.md (marked: uncertain)');
  });

  test.each([
    [
      true,
      [
        {
          number: 1,
          step: '6c/s3',
          code: 'AGENT_TIMEOUT',
          text: '6c/s3 takes longer than it may (30m); the run goes on, marked uncertain',
        },
      ],
    ],
    [false, []],
  ])('stage 6c: the advocate takes too long; with high stakes %s, a person is notified of %j', (high_stakes, notices) => {
    expect(review({ mishaps: { '6c/s3': ['timeout'] } }, { high_stakes }).run.notices).toMatchObject(notices);
  });

  test('stage 6c: the advocate crashes; one more try, then the section passes as uncertain', () => {
    const play = review({ mishaps: { '6c/s3': ['crash', 'crash'] } });
    expect(agents(play, '6c/s3')).toHaveLength(2);
    expect(marks(play, '5/s3')).toContain('uncertain');
    expect(review({ mishaps: { '6c/s3': ['crash'] } }).run.steps['5/s3']?.marks).toEqual([]);
  });

  test('stage 6c: the advocate disagrees about three sections; two pass as uncertain, and a person decides about the third', () => {
    const verdicts = { '6c/s1': remarks(2), '6c/s2': remarks(2), '6c/s3': remarks(2) };
    const play = review({ verdicts, answers: Object.fromEntries(['s1', 's2', 's3'].map((key) => [`6c/${key}`, ['uncertain']])) });
    expect(play.run.escalations.filter(({ step }) => step?.startsWith('6c/'))).toMatchObject([
      { options: ['uncertain', 'extend', 'abort'] },
    ]);
    expect(['s1', 's2', 's3'].map((key) => marks(play, `5/${key}`))).toEqual([['uncertain'], ['uncertain'], ['uncertain']]);
    expect(play.prompts('8')[0]).toContain('5/s1/section.md (marked: uncertain)');
    expect(play.run.warnings).toContain('open remarks about 5/s1 are left after 2 rounds of review; marked uncertain');
    expect(play.run.status).toBe('done');
  });

  test('stage 6c: the advocate finds no thesis; the section passes with this mark, and nothing goes back to its writer', () => {
    const play = review({ verdicts: { '6c/s3': [noThesis] } });
    expect(marks(play, '5/s3')).toEqual(['thesis not identified']);
    expect(told(play, '5/s3')).toEqual([]);
    expect(play.run.warnings).toContain('6c/s3 cannot judge 5/s3; marked thesis not identified');
    expect(play.prompts('8')[0]).toContain('5/s3/section.md (marked: thesis not identified)');
  });

  test('stage 7: sections contradict each other; the synthesis is archived, and the sections are written again with what was found', () => {
    const play = review({ verdicts: { '7-check': [inconsistent] } });
    expect(play.run.compensations).toMatchObject([{ stage: 'sections', steps: expect.arrayContaining(['7', '5/s1']) }]);
    expect(play.prompts('5/s1')[1]).toContain('- s2 says a third, s5 says a half.');
    expect([play.prompts('4').length, play.prompts('7').length, play.run.status]).toEqual([1, 2, 'done']);
  });

  test('stage 7: the validator names the sections that contradict each other; only these are written again', () => {
    const play = review({ verdicts: { '7-check': [{ ...inconsistent, items: ['s2'] }] } });
    expect(play.run.compensations).toMatchObject([{ stage: 'sections', action: 'rollback' }]);
    expect(archived(play)).toEqual(expect.arrayContaining(['7', '5/s2']));
    expect(archived(play).filter((step) => /^5\/s[13]$/.test(step))).toEqual([]);
    expect(['5/s1', '5/s2', '5/s3', '6c/s1', '6c/s2', '7'].map((step) => play.prompts(step).length)).toEqual([1, 2, 1, 1, 2, 2]);
    expect(play.prompts('5/s2')[1]).toContain('- s2 says a third, s5 says a half.');
    expect(play.prompts('7-check')[0]).toContain('add items: [s1]. They are: s1, s2, s3');
    expect(play.states()).toMatchObject({ sections: 'done', 'sections/s2': 'done', '8-check': 'done' });
  });

  test('stage 7.5: the review of the synthesis takes too long; the run goes on, and says so', () => {
    const play = review({ files: { ...FILES, 'synthesis.yaml': synthesis(40) }, mishaps: { '7.5': ['timeout'] } });
    expect(marks(play, '7')).toContain('synthesis review incomplete');
    expect(play.states()).toMatchObject({ '7.5': 'skipped', '8': 'done' });
  });

  test('stage 7.5: its advocate crashes; one more try, then the run goes on, and says so', () => {
    const files = { ...FILES, 'synthesis.yaml': synthesis(40) };
    const play = review({ files, mishaps: { '7.5': ['crash', 'crash'] } });
    expect(agents(play, '7.5')).toHaveLength(2);
    expect([marks(play, '7'), play.states()['8']]).toEqual([['synthesis review incomplete'], 'done']);
    expect(review({ files, mishaps: { '7.5': ['crash'] } }).states()['7.5']).toBe('done');
  });

  test('stage 7.5: a person pauses it; it goes on, or is left out with a warning', () => {
    const files = { ...FILES, 'synthesis.yaml': synthesis(40) };
    const play = review({ files, paused: { at: '7.5', how: { kind: 'go_on' } } });
    expect([play.states()['7.5'], marks(play, '7')]).toEqual(['done', []]);
    const skipped = review({ files, paused: { at: '7.5', how: { kind: 'skip_to', stage: '8' } } });
    expect([skipped.states()['7.5'], marks(skipped, '7')]).toEqual(['skipped', ['unverified']]);
    expect(skipped.run.warnings).toEqual([expect.stringContaining('a person skipped to 8')]);
  });

  test.each([
    ['standard', true, 'done'],
    ['complex', false, 'done'],
    ['standard', false, 'skipped'],
  ])('stage 7.5: the share of additions is not known; with the tier %s and high stakes %s, it is %s', (tier, high_stakes, state) => {
    const play = review({ files: { ...FILES, 'synthesis.yaml': synthesis(null) } }, { tier, high_stakes });
    expect(play.states()['7.5']).toBe(state);
    expect(play.told.history).toContainEqual(
      expect.objectContaining({
        step: '7.5',
        text: expect.stringMatching(/^7\.synthesis\.addition_percentage is not known; when_unknown/),
      }),
    );
    const isSkipped = state === 'skipped';
    expect(play.run.warnings).toEqual(
      isSkipped ? ['7.5 was skipped: 7.synthesis.addition_percentage is not known, so nobody can tell whether it is needed'] : [],
    );
    expect(play.run.losses.map(({ step }) => step)).toEqual(isSkipped ? ['7.5'] : []);
    expect(play.prompts('8')[0]?.includes('draft.md (marked: unverified)')).toBe(isSkipped);
  });

  test('stage 8: the final check finds faults; the editor gets them and works on the document', () => {
    const play = review({ verdicts: { '8-check': remarks(1) } });
    expect(told(play, '8')).toEqual([expect.stringContaining('- The figure is not in the source.')]);
    expect(play.prompts('7')).toHaveLength(1);
  });

  test('stage 8: the final check finds major faults in some sections; these go back to their writers, and are joined and edited again', () => {
    const play = review({ verdicts: { '8-check': [{ ...inconsistent, items: ['s1', 's3'] }] } });
    expect(['5/s1', '5/s2', '5/s3', '7', '8'].map((step) => play.prompts(step).length)).toEqual([2, 1, 2, 2, 2]);
    expect(archived(play)).toEqual(expect.arrayContaining(['5/s1', '5/s3', '7', '8']));
    expect(play.told.history).toContainEqual(
      expect.objectContaining({ step: 'sections', text: 'rolled back (s1, s3): 8 contradicts other results' }),
    );
    expect(play.run.status).toBe('done');
  });
});

test('a restart that preserves the scope: everything from the search on begins again, and the approved scope is not asked about', () => {
  const play = review({ paused: { at: '7', how: { kind: 'again', address: '2' } } }, { high_stakes: true });
  expect(play.run.compensations).toMatchObject([
    { stage: '2', action: 'rollback', steps: expect.arrayContaining(['3', '4', '5/s1', 'search/reviews']) },
  ]);
  expect(archived(play)).not.toContain('1');
  expect(['1', 'search/reviews', '3', '5/s1'].map((step) => play.prompts(step).length)).toEqual([1, 2, 2, 2]);
  const approvals = play.run.escalations.filter(({ type }) => type === 'approval').map(({ step }) => step);
  expect(approvals).toEqual(['1-approval', '3-approval', '3-approval', '8-approval']);
  expect(play.run.status).toBe('done');
});

describe('circuit breakers of literature-review', () => {
  const opened = ({ told: { history } }: Play) =>
    history.flatMap(({ step, text }) => (text.startsWith('its circuit breaker opens') ? [step] : []));

  test('stage 5 opens after validation_fails_3x of both agents: the run proceeds without the section', () => {
    const play = review({ verdicts: { '6a/s2': remarks(6) } });
    expect(opened(play)).toEqual(['5/s2']);
    expect(play.states()).toMatchObject({ '5/s2': 'skipped', 'sections/s2': 'failed', 'sections/s1': 'done', sections: 'done' });
    expect(play.prompts('8')[0]).toContain('- sections/s2: failed');
  });

  test.each(['crash', 'timeout'] as const)('stage 5 counts each %s, up to its threshold of 3', (mishap) => {
    const play = review({ mishaps: { '5/s2': [mishap, mishap, mishap, 'fine'] } });
    expect(opened(play)).toEqual(['5/s2']);
    expect(play.states()['sections/s2']).toBe('failed');
    expect(opened(review({ mishaps: { '5/s2': [mishap, mishap] } }))).toEqual([]);
  });

  test('stage 6c opens after two sections in a row: a person is asked once, and extend gives 45 minutes to the rest', () => {
    const play = review({ mishaps: { '6c/s1': ['timeout'], '6c/s2': ['timeout'] } });
    expect(play.run.escalations.filter(({ type }) => type === 'circuit_breaker')).toMatchObject([
      {
        options: ['extend', 'skip', 'manual', 'abort'],
        recommended: 'extend',
        deadline: { option: 'extend' },
        answer: { option: 'extend' },
      },
    ]);
    expect(play.run.breakers['stage:6c']).toMatchObject({ state: { kind: 'closed' }, stretch: 1.5 });
  });

  test('stage 6c counts a section without a thesis as it counts a timeout', () => {
    const mixed = review({ mishaps: { '6c/s1': ['timeout'] }, verdicts: { '6c/s2': [noThesis] } });
    expect(opened(mixed)).toEqual(['6c/s2']);
    expect(opened(review({ verdicts: { '6c/s1': [noThesis] } }))).toEqual([]);
  });

  test('stage 2 opens after convergence was not achieved twice: the run proceeds with partial reviews', () => {
    const play = review({ files: { ...FILES, 'reviews.yaml': notShared } });
    expect(opened(play)).toEqual(['2']);
    expect(marks(play, '2')).toEqual(['partial']);
    expect(play.states()).toMatchObject({ '2': 'done', '3': 'done' });
  });
});
