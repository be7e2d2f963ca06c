import { describe, expect, test } from 'vitest';
import type { Reactions, ReviewStage } from '../definition/plan.ts';
import { runView } from '../view/run-view.ts';
import { command, forEach, result, review, Story, type sectionsPlan, swarmPlan, work } from './samples.ts';

const ask = (...options: readonly string[]): Reactions => ({ after: 1, steps: [{ kind: 'ask', options }] });

/** Development with a review of two rounds, after which a person is asked. */
function swarm(changes: Partial<ReviewStage> = {}): Story {
  const check = review('review', 'develop', { maxRounds: 2, onFailure: { limit: ask() }, ...changes });
  const plan = swarmPlan((stages) => stages.map((stage) => (stage.id === 'review' ? check : stage)));
  return new Story(plan).work('research').work('develop', 'c1');
}

const atLimit = (changes: Partial<ReviewStage> = {}) =>
  swarm(changes).judge('review', 'no test').work('develop', 'c2').judge('review', 'no test', 'and\nno docs');

function decide(story: Story, option: string, text: string | null = null): Story {
  const open = story.run.escalations.find(({ answer }) => answer === null);
  return story.tell({ kind: 'decided', escalation: open?.number ?? 0, option, text });
}

test('extend after a verdict that is not about the work asks the reviewer again, and nothing goes to the author', () => {
  const cannot_judge = ask('extend', 'accept', 'skip', 'abort');
  const story = swarm({ onFailure: { cannot_judge } });
  story.turn('review').tell({
    kind: 'collected',
    action: story.action('review'),
    result: result({ verdict: { verdict: 'cannot_judge', issues: ['the diff is empty'] } }),
  });
  decide(story, 'extend');
  expect(story.states()).toMatchObject({ develop: 'done', review: 'acting' });
  expect(story.run.steps.review).toMatchObject({ round: 1 });
});

test('a question of the file offers to accept only what is there', () => {
  const crash = ask('restart', 'accept', 'abort');
  const story = new Story({ ...swarmPlan(), stages: [work('write', 'developer', { onFailure: { crash } })] });
  story.crash('write');
  expect(story.run.escalations).toMatchObject([{ options: ['restart', 'abort'] }]);
});

describe('after the last round of a review', () => {
  test('the question shows the remarks, the work and where the remarks are, and recommends another round', () => {
    const story = atLimit();
    expect(story.run.escalations).toMatchObject([
      { type: 'unmet', step: 'review', options: ['extend', 'restart', 'accept', 'skip', 'abort'], recommended: 'extend' },
    ]);
    expect(story.run.escalations[0]?.text.split('\n')).toEqual([
      'open remarks about develop are left after 2 rounds of review',
      '- no test',
      '- and',
      '  no docs',
    ]);
    const [question] = runView(story.run, [], story.at, { repository: '/root', folder: '/runs/swarm-1' }).questions;
    expect(question).toMatchObject({ see: ['git -C /root show c2'], approves: { stage: 'develop', commit: 'c2', files: [] } });
  });

  test('the remarks of a file are named by their place, beside the files of the work', () => {
    const file = (path: string) => ({ path, sha256: 'h', value: null });
    const story = new Story({
      ...swarmPlan(),
      stages: [work('write', 'developer'), review('check', 'write', { onFailure: { limit: ask() }, maxRounds: 1 })],
    });
    story
      .turn('write')
      .tell({ kind: 'collected', action: story.action('write'), result: result({ artifacts: { 'text.md': file('artifacts/text.md') } }) });
    const verdict = { verdict: 'changes', issues: ['unclear'] } as const;
    const judged = result({ verdict, artifacts: { 'verdict.yaml': file('artifacts/verdict.yaml') } });
    story.turn('check').tell({ kind: 'collected', action: story.action('check'), result: judged });
    expect(runView(story.run, [], story.at, { folder: '/runs/x' }).questions).toMatchObject([
      { see: ['/runs/x/artifacts/text.md', '/runs/x/artifacts/verdict.yaml'], approves: { files: [{ name: 'text.md' }] } },
    ]);
  });

  test('extend gives the remarks to the author in the same conversation, with what the person adds, and the review looks again', () => {
    const story = decide(atLimit(), 'extend', 'Only the docs.');
    expect(story.states()).toMatchObject({ develop: 'acting', review: 'waiting', land: 'waiting' });
    const { task } = story.actions.at(-1) ?? {};
    expect(task).toMatchObject({ kind: 'follow_up', seat: 'developer' });
    expect(task?.kind === 'follow_up' && task.text.split('\n')).toEqual([
      'The review of your work (round 2 of 3) found:',
      '- no test',
      '- and',
      '  no docs',
      '- Only the docs.',
      'Resolve each remark, then finish as before.',
    ]);
    story.work('develop', 'c3');
    expect(story.run.steps.review).toMatchObject({ state: { kind: 'acting' }, round: 3 });
    expect(runView(story.run, [], story.at).stages.find(({ id }) => id === 'review')).toMatchObject({ round: 3, max_rounds: 3 });
    story.judge('review');
    expect(story.states()).toMatchObject({ review: 'done', land: 'acting' });
    expect(story.run.steps.develop?.marks).toEqual([]);
  });

  test('another one can be followed by another one, and each is answered once', () => {
    const story = decide(atLimit(), 'extend').tell({ kind: 'decided', escalation: 1, option: 'extend', text: null });
    story.work('develop', 'c3').judge('review', 'no docs');
    expect(story.run.escalations).toMatchObject([
      { answer: { option: 'extend' } },
      { answer: null, options: expect.arrayContaining(['extend']) },
    ]);
    decide(story, 'extend').work('develop', 'c4').judge('review');
    expect(story.run.steps.review).toMatchObject({ state: { kind: 'done' }, round: 4, moreRounds: 2 });
  });

  test('a list of the file goes on where it was', () => {
    const steps = [{ kind: 'restart' }, { kind: 'ask', options: [] }] as const;
    const story = atLimit({ onFailure: { limit: { after: 1, steps } } })
      .tick(10_000)
      .judge('review', 'still no docs');
    decide(story, 'extend').work('develop', 'c3').judge('review', 'c');
    expect(story.run.escalations).toMatchObject([{ answer: { option: 'extend' } }, { answer: null, type: 'unmet' }]);
  });

  test('a rollback takes the extra rounds away', () => {
    const story = decide(atLimit(), 'extend').work('develop', 'c3').tell({ kind: 'pause', now: true });
    story.tell({ kind: 'resume', how: { kind: 'again', address: 'develop' } });
    expect(story.run.steps.review).toMatchObject({ round: 1, moreRounds: 0 });
  });

  test('a pause and a recovery in the extra round keep it', () => {
    const story = decide(atLimit(), 'extend')
      .tell({ kind: 'pause', now: true })
      .tell({ kind: 'resume', how: { kind: 'go_on' } });
    expect(story.work('develop', 'c3').judge('review', 'x').run.escalations.at(-1)).toMatchObject({ answer: null, type: 'unmet' });
    expect(story.run.steps.review).toMatchObject({ round: 3, moreRounds: 1 });
  });

  test('shell lines and a person can give another one too', () => {
    const lines = swarm({ by: { kind: 'command', lines: ['npm test'] }, maxRounds: 1 });
    const fails = () => lines.tell({ kind: 'checked', action: lines.action('review'), passed: false, output: '1 failed' });
    expect(decide(fails(), 'extend').actions.at(-1)?.task).toMatchObject({
      kind: 'follow_up',
      text: expect.stringContaining('- 1 failed'),
    });
    const approval = decide(swarm({ by: { kind: 'person' }, maxRounds: 1 }), 'reject', 'Too long.');
    expect(decide(approval, 'extend').actions.at(-1)?.task).toMatchObject({ text: expect.stringContaining('- Too long.') });
    approval.work('develop', 'c2');
    expect(approval.run.escalations.at(-1)).toMatchObject({ type: 'approval', answer: null });
  });

  test('is a word of the file too, and means the same after a disagreement', () => {
    const story = atLimit({ onFailure: { disagreement: ask('uncertain', 'extend', 'abort') } });
    expect(story.run.escalations[0]).toMatchObject({ options: ['uncertain', 'extend', 'abort'], recommended: 'uncertain' });
    expect(decide(story, 'extend').states()).toMatchObject({ develop: 'acting', review: 'waiting' });
  });

  test('is not offered if no agent can take the remarks', () => {
    const story = swarm().judge('review', 'no test').work('develop', 'c2');
    const { developer } = story.run.plan.roles;
    if (developer === undefined) throw new Error('the sample has a developer');
    story.run = { ...story.run, roles: { ...story.run.roles, developer: { agent: 'fallback', unavailable: true, letters: [] } } };
    expect(story.judge('review', 'no docs').run.escalations[0]?.options).toEqual(['restart', 'accept', 'skip', 'abort']);
  });
});

test('work that its own breaker stops after the last round is asked about with the remarks', () => {
  const breaker = { scope: 'item', failures: 2, retryAfterMs: 60_000, whenOpen: 'ask', default: undefined, afterMs: undefined } as const;
  const plan = swarmPlan((stages) =>
    stages.map((stage) =>
      stage.kind === 'work' && stage.id === 'develop'
        ? { ...stage, circuitBreaker: breaker }
        : stage.kind === 'review'
          ? { ...stage, maxRounds: 2 }
          : stage,
    ),
  );
  const story = new Story(plan).work('research').work('develop', 'c1').judge('review', 'a').work('develop', 'c2').judge('review', 'b');
  expect(story.run.escalations).toMatchObject([{ type: 'circuit_breaker', step: 'develop', text: expect.stringContaining('\n- b') }]);
  expect(runView(story.run, [], story.at).questions).toMatchObject([{ approves: { stage: 'develop', commit: 'c2' } }]);
});

describe('to leave a stage out', () => {
  const lost = (story: Story, step: string) => {
    for (let crashes = 0; crashes < 4; crashes += 1) story.crash(step).tick(60_000);
    return story.run.escalations.at(-1);
  };
  const roles = swarmPlan().roles;
  const asking = { ...roles, reviewer: { ...roles.reviewer, whenUnavailable: 'ask' } as NonNullable<(typeof roles)['reviewer']> };

  test('is not recommended where a later stage needs it', () => {
    expect(lost(new Story(), 'research')).toMatchObject({ options: ['restart', 'skip', 'abort'], recommended: 'restart' });
    const last = new Story({ ...swarmPlan(), stages: [work('research', 'researcher')] });
    expect(lost(last, 'research')).toMatchObject({ options: ['skip', 'restart', 'abort'], recommended: 'skip' });
  });

  test('is recommended for a review: its work is there, and gets a mark', () => {
    const story = new Story({ ...swarmPlan(), roles: asking }).work('research').work('develop', 'c1');
    expect(lost(story, 'review')).toMatchObject({ type: 'unavailable', recommended: 'skip' });
  });

  test('is not recommended inside of an item either, if something comes after the items', () => {
    const inner = [work('write', 'researcher')];
    const end = work('draft', 'developer', { needs: ['sections'] });
    const recommended = (stages: ReturnType<typeof sectionsPlan>['stages']) => {
      const story = new Story({ ...swarmPlan(), stages: [command('first'), ...stages] });
      story.run = { ...story.run, inputs: { list: ['a'] } };
      story.tell({ kind: 'checked', action: story.action('first'), passed: true, output: '' });
      return lost(story, 'write/1')?.recommended;
    };
    const list = forEach('sections', inner, { needs: ['first'] });
    expect([recommended([list, end]), recommended([list])]).toEqual(['restart', 'skip']);
  });

  test('stays where the file has it, but something else is recommended', () => {
    const onFailure = { crash: ask('skip', 'uncertain', 'restart') };
    const story = new Story(swarmPlan(([, ...rest]) => [work('research', 'researcher', { onFailure }), ...rest])).crash('research');
    expect(story.run.escalations).toMatchObject([{ options: ['skip', 'uncertain', 'restart'], recommended: 'restart' }]);
    const only = { crash: ask('skip', 'uncertain') };
    const other = new Story(swarmPlan(([, ...rest]) => [work('research', 'researcher', { onFailure: only }), ...rest])).crash('research');
    expect(other.run.escalations).toMatchObject([{ recommended: 'skip' }]);
  });
});
