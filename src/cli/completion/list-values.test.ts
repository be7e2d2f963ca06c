import { expect, test } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { makeLayout } from '../../store/layout.ts';
import { insertQueued } from '../../store/tables/queue.ts';
import { listValues } from './list-values.ts';

test('the tasks that wait are listed in their order, with their first words and nothing that a terminal obeys', async () => {
  await using work = await scratchWork();
  const { store, layout } = work.context;
  const task = { expects: 'commit', worker: null, agent: null, after: [], created_ms: 0 } as const;
  insertQueued(store.database, { ...task, priority: 0, prompt: 'Fix\tit\n\u001b[2Jnow' });
  insertQueued(store.database, { ...task, priority: 1, prompt: 'x'.repeat(200) });
  const [first, second] = await listValues('task', { root: layout.root, layout });
  expect(first).toMatchObject({ name: '2' });
  expect(first?.about.length).toBeLessThanOrEqual(50);
  expect(second).toMatchObject({ name: '1', about: expect.stringMatching(/^Fix it/) });
  expect(second?.about).not.toMatch(/[\u0000-\u001f]/);
});

test('the workflows of llmc are listed without a root', async () => {
  const names = (await listValues('workflow', { root: '/nowhere', layout: makeLayout('/nowhere') })).map(({ name }) => name);
  expect(names).toContain('swarm');
});

test('a root that cannot be read offers no tasks, and no error', async () => {
  expect(await listValues('task', { root: '/nowhere', layout: makeLayout('/nowhere') })).toEqual([]);
});
