import { describe, expect, test } from 'vitest';
import { Told } from '../../view/told.fixture.ts';
import { POLICY, review, swarmPlan } from '../samples.ts';
import { wakeAt } from '../time/wake-at.ts';

const DAY_MS = 86_400_000;

const dismissed = ({ actions }: Told): readonly string[] => actions.flatMap(({ task }) => (task.kind === 'dismiss' ? [task.seat] : []));

const wakes = ({ run, at }: Told): number | null => wakeAt(run, POLICY, at);

describe('the workers of a run', () => {
  test('that is done are removed at once, each once, and so is the one of its shell lines', () => {
    const plan = swarmPlan((stages) => [...stages.slice(0, 2), review('tests', 'develop', { by: { kind: 'command', lines: ['true'] } })]);
    const story = new Told(plan).work('research').work('develop', 'c1');
    expect(dismissed(story)).toEqual([]);
    story.reply('tests', { kind: 'checked', passed: true, output: '' });
    expect(story.run.status).toBe('done');
    expect(dismissed(story)).toEqual(['researcher', 'developer', '-check']);
    expect(wakes(story)).toBeNull();
    expect(dismissed(story.tell({ kind: 'tick' }, 30 * DAY_MS))).toHaveLength(3);
  });

  test('that was aborted are kept for a week, so that its agents can go on', () => {
    const story = new Told().work('research').tell({ kind: 'abort', why: 'enough' });
    expect(dismissed(story.tell({ kind: 'tick' }, 6 * DAY_MS))).toEqual([]);
    expect(wakes(story)).toBe(story.at + DAY_MS);
    expect(dismissed(story.tell({ kind: 'tick' }, DAY_MS))).toEqual(['researcher', 'developer']);
    expect(wakes(story)).toBeNull();
  });

  test('one that a person still has stays, and is tried again every day', () => {
    const story = new Told().work('research').work('develop', 'c1').judge('review').reply('land', { kind: 'started' });
    story.tell({ kind: 'abort', why: 'enough' }).tell({ kind: 'tick' }, 7 * DAY_MS);
    story.tell({ kind: 'kept', action: 'a', seat: 'developer', why: 'a person has not decided about its work' });
    expect(wakes(story)).toBe(story.at + DAY_MS);
    expect(story.history.at(-1)?.text).toBe('developer stays: a person has not decided about its work');
    expect(dismissed(story.tell({ kind: 'tick' }, DAY_MS)).slice(3)).toEqual(['developer']);
  });
});
