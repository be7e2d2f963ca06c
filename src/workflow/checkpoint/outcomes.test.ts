import { describe, expect, test } from 'vitest';
import { errorRecord } from '../../recovery/error-record.ts';
import type { Plan } from '../definition/plan.ts';
import { forEach, newRun, result, swarmPlan, work } from '../next/samples.ts';
import { reportView } from '../view/report-view.ts';
import { NOON, StoredStory } from './samples.ts';

async function entries(story: StoredStory): Promise<readonly string[]> {
  return (await story.records.errors('swarm-1')).map(({ component, code, strategy, outcome }) =>
    [component, code, strategy, outcome ?? 'open'].join(' '),
  );
}

async function crash(story: StoredStory, step: string, times = 1): Promise<void> {
  for (let each = 0; each < times; each += 1) {
    await story.crash(step);
    await story.tell({ kind: 'tick' }, 10_000);
  }
}

const without = (role: string): Plan => {
  const plan = swarmPlan();
  const own = plan.roles[role];
  return own === undefined ? plan : { ...plan, roles: { ...plan.roles, [role]: { ...own, fallback: undefined } } };
};

/** What the record says about a failure: what was really done, and what became of that. */
describe('the outcome of a failure', () => {
  test('is open until its stage ends well', async () => {
    const story = await StoredStory.begin();
    await crash(story, 'research');
    expect(await entries(story)).toEqual(['research AGENT_CRASHED restart open']);
    await story.work('research');
    expect(await entries(story)).toEqual(['research AGENT_CRASHED restart recovered']);
  });

  test('is open although its agent asked something and was answered: only the question is over', async () => {
    const story = await StoredStory.begin();
    await crash(story, 'research');
    await story.tell({ kind: 'started', action: await story.action('research') });
    await story.tell({ kind: 'asked', action: await story.action('research'), question: 'Which port?' });
    await story.tell({ kind: 'answered', action: await story.action('research') });
    expect(await entries(story)).toEqual(['research AGENT_CRASHED restart open', 'research AGENT_BLOCKED ask recovered']);
    await story.crash('research');
    expect((await entries(story)).slice(0, 2)).toEqual([
      'research AGENT_CRASHED restart failed again',
      'research AGENT_BLOCKED ask recovered',
    ]);
  });

  test('is a recovery also when another agent has done it', async () => {
    const story = await StoredStory.begin();
    await story.work('research');
    await crash(story, 'develop', 2);
    expect((await story.run()).roles.developer?.agent).toBe('fallback');
    await story.work('develop', 'c1');
    expect(await entries(story)).toEqual(['develop AGENT_CRASHED restart failed again', 'develop AGENT_CRASHED substitute recovered']);
  });

  test('is not a recovery when the agent that took over fails as well, whatever its failure is called', async () => {
    const story = await StoredStory.begin();
    await story.work('research');
    await crash(story, 'develop', 2);
    const action = await story.action('develop');
    const error = errorRecord({ id: 'x', code: 'AGENT_NOT_FOUND', message: 'codex is not there', component: 'develop', at: story.at });
    await story.tell({ kind: 'failed', action, error });
    expect(await entries(story)).toEqual([
      'develop AGENT_CRASHED restart failed again',
      'develop AGENT_CRASHED substitute failed again',
      'develop AGENT_NOT_FOUND abort failed',
    ]);
    expect((await story.run()).error).toMatchObject({ code: 'AGENT_CRASHED' });
  });

  test('says what is done where no other agent can take over, and counts no recovery for it', async () => {
    const story = await StoredStory.begin({}, undefined, newRun(without('researcher'), NOON));
    await crash(story, 'research', 2);
    expect(await entries(story)).toEqual(['research AGENT_CRASHED restart failed again', 'research AGENT_CRASHED ask open']);
    const run = await story.run();
    expect(run.recoveries).toBe(1);
    const [question] = run.escalations;
    await story.tell({ kind: 'decided', escalation: question?.number ?? 0, option: 'restart', text: null });
    await story.work('research');
    expect((await entries(story)).at(-1)).toBe('research AGENT_CRASHED ask recovered');
  });

  test('is skipped, or failed, as the stage is', async () => {
    const story = await StoredStory.begin();
    await story.work('research');
    await story.work('develop', 'c1');
    await crash(story, 'review', 2);
    expect((await entries(story)).at(-1)).toBe('review AGENT_CRASHED skip skipped');
    const failed = await StoredStory.begin();
    await failed.work('research');
    await failed.lose('develop');
    expect((await entries(failed)).at(-1)).toBe('develop AGENT_CRASHED abort failed');
  });

  test('is skipped when its for_each goes on with the items that are done: nothing has recovered', async () => {
    const skip = (mark?: string) => ({ after: 1, steps: [{ kind: 'skip', mark }] }) as const;
    const search = forEach('search', [work('find', 'researcher')], {
      require: { done: { min: 2 } },
      onFailure: { unmet: skip('partial'), crash: skip() },
    });
    const plan = { ...swarmPlan(), stages: [search, work('next', 'developer', { needs: ['search'] })] };
    const story = await StoredStory.begin({}, undefined, { ...newRun(plan, NOON), inputs: { list: ['a', 'b'] } });
    await story.work('find/1');
    await story.crash('find/2');
    expect((await story.run()).steps.search).toMatchObject({ state: { kind: 'done' }, marks: ['partial'] });
    expect(await entries(story)).toEqual(['find/2 AGENT_CRASHED skip skipped', 'search STAGE_FAILED skip skipped']);
    const types = (await story.checkpoints.list('swarm-1')).map(({ type }) => type);
    expect(types).toContain('stage_complete');
    expect(types).not.toContain('error_recovery');
  });

  test('is cancelled, or skipped, when a person skips ahead and the last result stays', async () => {
    const sentBack = async (plan: Plan) => {
      const story = await StoredStory.begin({}, undefined, newRun(plan, NOON));
      await story.work('research');
      await story.work('develop', 'c1');
      await story.tell({ kind: 'started', action: await story.action('review') });
      await story.tell({ kind: 'finished', action: await story.action('review') });
      const verdict = { verdict: 'changes', issues: ['no test'] } as const;
      await story.tell({ kind: 'collected', action: await story.action('review'), result: result({ verdict }) });
      return story;
    };
    const skipAhead = async (story: StoredStory) => {
      await story.tell({ kind: 'pause', now: true });
      await story.tell({ kind: 'resume', how: { kind: 'skip_to', stage: 'land' } });
      expect(await story.states()).toMatchObject({ develop: 'done', review: 'skipped' });
      return (await entries(story)).at(-1);
    };
    const cooling = await sentBack(swarmPlan());
    await cooling.crash('develop');
    expect((await cooling.states()).develop).toBe('cooling');
    expect(await skipAhead(cooling)).toBe('develop AGENT_CRASHED restart cancelled');
    const asking = await sentBack(
      swarmPlan((stages) =>
        stages.map((stage) =>
          stage.id === 'develop' ? { ...stage, onFailure: { crash: { after: 1, steps: [{ kind: 'ask', options: [] }] } } } : stage,
        ),
      ),
    );
    await asking.crash('develop');
    expect((await asking.states()).develop).toBe('asking');
    expect(await skipAhead(asking)).toBe('develop AGENT_CRASHED ask skipped');
  });

  test('is cancelled when a person ends the run during the wait before the next try', async () => {
    const story = await StoredStory.begin();
    await story.crash('research');
    expect((await story.states()).research).toBe('cooling');
    await story.tell({ kind: 'abort', why: 'enough' });
    expect(await entries(story)).toEqual(['research AGENT_CRASHED restart cancelled']);
  });

  test('is open while the run goes back, until the stage itself has ended', async () => {
    const back = { inconsistent: { after: 1, steps: [{ kind: 'rollback', to: 'research' }] } } as const;
    const plan = swarmPlan((stages) =>
      stages.map((stage) => (stage.id === 'develop' ? { ...stage, onFailure: { unmet: back.inconsistent } } : stage)),
    );
    const story = await StoredStory.begin({}, undefined, newRun(plan, NOON));
    await story.work('research');
    const action = await story.action('develop');
    const error = errorRecord({ id: 'x', code: 'STAGE_FAILED', message: 'no', component: 'develop', at: story.at });
    await story.tell({ kind: 'started', action });
    await story.tell({ kind: 'failed', action, error });
    expect(await entries(story)).toEqual(['develop STAGE_FAILED rollback open']);
    await story.work('research');
    await story.work('develop', 'c1');
    expect(await entries(story)).toEqual(['develop STAGE_FAILED rollback recovered']);
  });
});

test('every question is kept with its answer, however many there are', async () => {
  const story = await StoredStory.begin();
  for (let each = 0; each < 120; each += 1) {
    const action = await story.action('research');
    if (each === 0) await story.tell({ kind: 'started', action });
    await story.tell({ kind: 'asked', action, question: `Which port, the ${each}th time?` });
    await story.tell({ kind: 'answered', action });
  }
  const questions = await story.records.questions('swarm-1');
  expect(questions).toHaveLength(120);
  expect(questions.every(({ answer }) => answer?.option === 'answered')).toBe(true);
  const run = await story.run();
  expect(run.escalations.length).toBeLessThan(120);
  const facts = { errors: [], questions, retries: [], checkpoints: [], partial: [], now: NOON, log: '', folder: '', state: '' };
  expect(reportView(run, facts).questions.map(({ number }) => number)).toEqual(questions.map(({ number }) => number));
});
