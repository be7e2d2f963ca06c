import { expect, test } from 'vitest';
import { scratchWork } from '../../test/support/scratch-work.ts';
import { aLimit } from '../recovery/cases/samples.ts';
import { liftLimit } from './lift-limit.ts';
import { aWorker } from './samples.ts';

test('workers that continue now are listed apart from those that wait by themselves, in any order of their names', async () => {
  await using work = await scratchWork({ worker: { agent: 'demo' }, agents: { continuesByItself: (name) => name === 'carol' } });
  const { store, clock } = work.context;
  const until_ms = clock.now() + 3_600_000;
  store.commit({
    worker: null,
    kind: 'limit',
    summary: 'reached',
    state: (draft) => {
      for (const name of ['carol', 'baker']) draft.workers[name] = aWorker({ name, agent: 'demo' });
      draft.workers.dora = aWorker({ name: 'dora', agent: 'claude' });
      draft.limits.demo = aLimit({ account: 'demo', until_ms });
    },
  });
  expect(await liftLimit(work.context, 'demo')).toEqual({
    account: 'demo',
    until_unix: Math.ceil(until_ms / 1_000),
    workers: ['adam', 'baker'],
    by_themselves: ['carol'],
  });
  await expect(liftLimit(work.context, 'demo')).rejects.toThrow('"demo" does not wait for a usage limit');
});
