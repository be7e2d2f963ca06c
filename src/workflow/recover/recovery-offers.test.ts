import { expect, test } from 'vitest';
import { StoredStory } from '../checkpoint/samples.ts';
import { recoveryOffers } from './recovery-offers.ts';

const DAY_MS = 86_400_000;

test('a run that failed is offered with what to type', async () => {
  const story = await StoredStory.begin();
  await story.work('research');
  expect(await recoveryOffers(story, story.at)).toEqual([]);
  await story.lose('develop');
  const { endedMs } = (await story.run()).clock;
  expect(await recoveryOffers(story, story.at)).toEqual([
    { run: 'swarm-1', why: 'status 1', ended_ms: endedMs, command: 'llmc recover swarm-1' },
  ]);
});

test('a run without a failed stage is offered, and an old one is not', async () => {
  const story = await StoredStory.begin();
  await story.tell({ kind: 'tick' }, 9 * 3_600_000);
  expect(await recoveryOffers(story, story.at)).toMatchObject([{ command: 'llmc recover swarm-1' }]);
  expect(await recoveryOffers(story, story.at + 7 * DAY_MS)).toEqual([]);
});

test('a run that cannot be read hides no other offer', async () => {
  const story = await StoredStory.begin();
  await story.tell({ kind: 'tick' }, 9 * 3_600_000);
  story.database.exec(
    "INSERT INTO runs SELECT 'swarm-2', workflow, digest, plan_json, inputs_json, status, version, '{', degradation_level, wake_ms, created_ms, ended_ms FROM runs",
  );
  expect(await recoveryOffers(story, story.at)).toMatchObject([{ run: 'swarm-1' }]);
});

test('a run that a person aborted, or without a sound checkpoint, is not offered', async () => {
  const aborted = await StoredStory.begin();
  await aborted.tell({ kind: 'abort', why: 'enough' });
  expect(await recoveryOffers(aborted, aborted.at)).toEqual([]);
  const damaged = await StoredStory.begin();
  await damaged.tell({ kind: 'tick' }, 9 * 3_600_000);
  for (const { id } of await damaged.checkpoints.list('swarm-1')) damaged.damage(id);
  expect(await recoveryOffers(damaged, damaged.at)).toEqual([]);
});
