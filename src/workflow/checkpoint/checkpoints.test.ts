import { describe, expect, test } from 'vitest';
import type { CheckpointType } from '../model/action.ts';
import { StoredStory } from './samples.ts';

async function types(story: StoredStory): Promise<readonly CheckpointType[]> {
  return (await story.checkpoints.list('swarm-1')).map(({ type }) => type).toReversed();
}

/** The table of checkpoint types. */
describe('a checkpoint is stored', () => {
  test.each<readonly [CheckpointType, string, (story: StoredStory) => Promise<void>, readonly CheckpointType[]]>([
    ['session_start', 'when the run begins', () => Promise.resolve(), ['session_start']],
    ['stage_complete', 'when a stage ends', (story) => story.work('research'), ['session_start', 'stage_complete']],
    ['periodic', 'every minute', (story) => story.tell({ kind: 'tick' }, 60_000), ['session_start', 'periodic']],
    ['before_retry', 'before a recovery', (story) => story.crash('research'), ['session_start', 'before_retry']],
    [
      'error_recovery',
      'when a stage ends well after a failure',
      async (story) => {
        await story.crash('research');
        await story.tell({ kind: 'tick' }, 10_000);
        await story.work('research');
      },
      ['session_start', 'before_retry', 'error_recovery'],
    ],
    ['manual', 'when a person asks for it', (story) => story.tell({ kind: 'checkpoint', note: 'n' }), ['session_start', 'manual']],
  ])('%s: %s', async (_type, _when, happens, expected) => {
    const story = await StoredStory.begin();
    await happens(story);
    expect(await types(story)).toEqual(expected);
  });
});

test('it has the columns of the design, and its state is the run at that moment', async () => {
  const story = await StoredStory.begin();
  await story.tell({ kind: 'message', from: 'person', to: 'reviewer', text: 'hello' });
  await story.crash('research');
  const [newest] = await story.checkpoints.list('swarm-1');
  const { version, steps } = await story.run();
  expect(newest).toMatchObject({ id: `swarm-1.v${version}`, type: 'before_retry', version, note: 'research', completed: [] });
  expect(newest?.state?.steps).toEqual({
    ...steps,
    research: { ...steps.research, state: newest?.state?.steps.research?.state, recoveredMs: null },
  });
  expect(newest?.state?.steps.research?.state.kind).toBe('working');
  const row = story.database.prepare('SELECT * FROM checkpoints WHERE id = ?').get(newest?.id ?? '');
  expect(row).toMatchObject({ run: 'swarm-1', created_by: 'error', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const json = (column: string) => JSON.parse(String(row?.[column]));
  expect(json('agent_states_json')).toEqual([
    {
      role: 'researcher',
      agent: 'own',
      status: 'working',
      last_task: 'research',
      message_count: 0,
      last_activity_ms: steps.research?.startedMs,
    },
    { role: 'developer', agent: 'own', status: 'waiting', last_task: null, message_count: 0, last_activity_ms: null },
    { role: 'reviewer', agent: 'own', status: 'waiting', last_task: null, message_count: 1, last_activity_ms: story.at - 2_000 },
  ]);
  expect(json('message_queue_json')).toEqual({
    inboxes: { researcher: 0, developer: 0, reviewer: 1 },
    outboxes: { researcher: 0, developer: 0, reviewer: 0 },
    last_processed_ms: { researcher: null, developer: null, reviewer: story.at - 2_000 },
    on_the_way: {},
    letters: { researcher: 0, developer: 0, reviewer: 1 },
  });
  expect(json('processed_messages_json')).toEqual(['message:e1']);
  expect(json('recovery_attempts_json')).toEqual([{ error: expect.any(String), strategy: 'restart', outcome: null, created_ms: story.at }]);
  expect(json('errors_json')).toMatchObject([{ code: 'AGENT_CRASHED', component: 'research', recovered: 0, recovery_strategy: 'restart' }]);
  expect(json('pending_stages_json')).toEqual(['research', 'develop', 'review', 'land']);
});

test('it counts messages that are on their way, and those that nobody has decided on', async () => {
  const story = await StoredStory.begin();
  await story.tell({ kind: 'started', action: await story.action('research') });
  await story.tell({ kind: 'message', from: 'person', to: 'researcher', text: 'now' });
  const what = { kind: 'message', from: 'researcher', to: 'developer', text: 'later', byFile: true } as const;
  await story.runs.post('swarm-1', { key: 'file:1', at: story.at, dice: 0, what });
  await story.tell({ kind: 'checkpoint', note: 'n' });
  expect((await story.checkpoints.list('swarm-1'))[0]?.snapshot.messages).toMatchObject({
    inboxes: { researcher: 1, developer: 0 },
    outboxes: { researcher: 1, developer: 0 },
    on_the_way: { researcher: 1 },
  });
});

test('the failures of a stage that ended well are marked as recovered', async () => {
  const story = await StoredStory.begin();
  await story.crash('research');
  await story.tell({ kind: 'tick' }, 10_000);
  await story.work('research');
  expect(story.database.prepare('SELECT recovered, context_json FROM error_log').all()).toMatchObject([
    { recovered: 1, context_json: '{"attempt":1,"tries":1,"retryInMs":2000}' },
  ]);
});

test('the newest ten stay, or as many as configured', async () => {
  const story = await StoredStory.begin();
  for (let minutes = 0; minutes < 15; minutes += 1) await story.tell({ kind: 'tick' }, 60_000);
  expect(await story.checkpoints.list('swarm-1')).toHaveLength(10);
  const few = await StoredStory.begin({ keepCheckpoints: 2 });
  await few.tell({ kind: 'checkpoint', note: 'a' });
  await few.tell({ kind: 'checkpoint', note: 'b' });
  await few.tell({ kind: 'checkpoint', note: 'c' });
  expect((await few.checkpoints.list('swarm-1')).map(({ note }) => note)).toEqual(['c', 'b', '']);
});

test('one that a person saved is not pushed out by those of every minute', async () => {
  const story = await StoredStory.begin();
  await story.tell({ kind: 'checkpoint', note: 'before lunch' });
  for (let minutes = 0; minutes < 15; minutes += 1) await story.tell({ kind: 'tick' }, 60_000);
  expect((await story.checkpoints.list('swarm-1')).map(({ type }) => type)).toEqual([...Array(10).fill('periodic'), 'manual']);
});

test('a type that is switched off is not stored', async () => {
  const story = await StoredStory.begin({ checkpointTypes: ['manual'] });
  await story.work('research');
  await story.tell({ kind: 'checkpoint', note: '' });
  expect(await types(story)).toEqual(['manual']);
});

test('a checkpoint that cannot be stored does not hold up the run, and the history says so', async () => {
  const story = await StoredStory.begin();
  story.database.exec("CREATE TRIGGER full BEFORE INSERT ON checkpoints BEGIN SELECT RAISE(ABORT, 'no place'); END");
  await story.work('research');
  expect(await story.states()).toMatchObject({ research: 'done', develop: 'acting' });
  expect(await types(story)).toEqual(['session_start']);
  const lines = (await story.records.history('swarm-1')).map(({ text }) => text);
  expect(lines).toContain('no stage_complete checkpoint was stored: no place');
});

test('damage is found by the hash, and hides no other checkpoint', async () => {
  const story = await StoredStory.begin();
  await story.work('research');
  const [newest] = await story.checkpoints.list('swarm-1');
  story.damage(newest?.id ?? '');
  story.database.prepare("UPDATE checkpoints SET pending_stages_json = '[' WHERE id = ?").run(newest?.id ?? '');
  expect((await story.checkpoints.list('swarm-1')).map(({ state }) => state === null)).toEqual([true, false]);
});
