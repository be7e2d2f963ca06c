import { describe, expect, test } from 'vitest';
import { errorRecord } from '../../recovery/error-record.ts';
import { Story, swarmPlan, work } from './samples.ts';

/** A developer crashes twice, and its fallback with four crashes: then a person is asked. */
function lost(crashes = 4): Story {
  const { developer, ...roles } = swarmPlan().roles;
  if (developer === undefined) throw new Error('the sample has a developer');
  const stages = [work('develop', 'developer'), work('more', 'developer', { needs: ['develop'] })];
  const story = new Story({ ...swarmPlan(), roles: { ...roles, developer: { ...developer, whenUnavailable: 'ask' } }, stages });
  for (let crash = 0; crash < crashes; crash += 1) story.crash('develop').tick(10_000);
  return story;
}

const sessions = (story: Story) => story.actions.flatMap(({ task }) => (task.kind === 'attempt' ? [task.session] : []));
const decide = (option: string) => lost().tell({ kind: 'decided', escalation: 1, option, text: null });

test('both agents have two tries each, then a person has four choices', () => {
  const story = lost();
  expect(sessions(story)).toEqual(['', '-r2', '-codex', '-codex-r2']);
  expect(story.run.escalations).toMatchObject([
    {
      type: 'crash',
      options: ['restart', 'fallback', 'skip', 'abort'],
      text: 'No agent can work as developer: its own agent and then codex failed.',
      lost: {
        agents: [
          { agent: 'its own agent', attempts: 2, why: 'the agent ended (status 1)' },
          { agent: 'codex', attempts: 2, why: 'the agent ended (status 1)' },
        ],
        output: null,
      },
    },
  ]);
});

describe('with a fallback that is not installed', () => {
  const notFound = errorRecord({ id: 'x', code: 'AGENT_NOT_FOUND', message: 'codex is not on PATH', component: 'develop', at: 0 });
  const notInstalled = (story: Story) => story.tell({ kind: 'failed', action: story.action('develop'), error: notFound });
  const left = () => notInstalled(lost(2));

  test('a person has the same four choices, and reads why it could not take over', () => {
    expect(left().run.escalations).toMatchObject([
      {
        type: 'crash',
        options: ['restart', 'fallback', 'skip', 'abort'],
        recommended: 'restart',
        text: 'No agent can work as developer: its own agent failed; its fallback is not installed.',
        lost: {
          agents: [
            { agent: 'its own agent', attempts: 2 },
            { agent: 'codex', attempts: 0, why: 'codex is not on PATH' },
          ],
        },
      },
    ]);
  });

  test('fallback tries it again, for a person who has installed it meanwhile', () => {
    const story = left().tell({ kind: 'decided', escalation: 1, option: 'fallback', text: null });
    expect(story.actions.at(-1)?.task).toMatchObject({ agent: 'fallback', session: '-codex', conversation: 'fresh' });
    expect(notInstalled(story).run.escalations.at(-1)).toMatchObject({
      lost: { agents: [{ agent: 'its own agent', attempts: 2, why: 'the agent ended (status 1)' }, { why: 'codex is not on PATH' }] },
    });
    expect(story.states().develop).toBe('asking');
  });

  test.each(['restart', 'fallback'])('%s gives a worker to a later stage of the role, which had none when a person was asked', (option) => {
    const story = left().tell({ kind: 'decided', escalation: 1, option: 'skip', text: null });
    expect(story.run.escalations.at(-1)).toMatchObject({ step: 'more', options: ['restart', 'fallback', 'skip', 'abort'] });
    expect(story.run.steps.more?.seat).toBeNull();
    story.tell({ kind: 'decided', escalation: 2, option, text: null });
    expect(story.actions.at(-1)).toMatchObject({
      step: 'more',
      task: { kind: 'attempt', seat: 'developer', agent: option === 'restart' ? 'own' : 'fallback' },
    });
  });

  test('restart tries the own agent again', () => {
    const story = left().tell({ kind: 'decided', escalation: 1, option: 'restart', text: null });
    expect(story.actions.at(-1)?.task).toMatchObject({ agent: 'own', session: '' });
  });
});

test('a role that names no fallback is not offered one, also when the file asks after the first crash', () => {
  const asked = (fallback: string | undefined) => {
    const { developer, ...roles } = swarmPlan().roles;
    if (developer === undefined) throw new Error('the sample has a developer');
    const crash = { after: 1, steps: [{ kind: 'ask', options: [] }] } as const;
    const stages = [work('develop', 'developer', { onFailure: { crash } })];
    return new Story({ ...swarmPlan(), roles: { ...roles, developer: { ...developer, fallback } }, stages }).crash('develop');
  };
  expect(asked('codex').run.escalations[0]?.options).toEqual(['restart', 'fallback', 'skip', 'abort']);
  expect(asked(undefined).run.escalations[0]?.options).toEqual(['restart', 'skip', 'abort']);
});

test('restart tries the own agent again, in a conversation of its own, and the role has an agent for the next stage', () => {
  const story = decide('restart');
  expect(story.actions.at(-1)?.task).toMatchObject({ kind: 'attempt', agent: 'own', session: '', conversation: 'fresh' });
  story.work('develop', 'c1');
  expect(story.states()).toMatchObject({ develop: 'done', more: 'acting' });
});

test('fallback tries the fallback again, where it was', () => {
  expect(decide('fallback').actions.at(-1)?.task).toMatchObject({ agent: 'fallback', session: '-codex', conversation: 'resume' });
});

test('skip goes on without it, and abort ends the run', () => {
  expect(decide('skip').run.steps.develop).toMatchObject({ state: { kind: 'skipped', cause: 'person' }, marks: ['partial'] });
  expect(decide('abort').run.status).toBe('aborted');
});

test('a crash and a bad output have counters of their own', () => {
  const story = new Story({ ...swarmPlan(), stages: [work('develop', 'developer')] });
  story.crash('develop').tick(10_000).turn('develop');
  story.tell({ kind: 'invalid', action: story.action('develop'), problems: ['there is no commit'] });
  expect(story.run.steps.develop?.failures).toEqual({ crash: 1, invalid_output: 1 });
});
