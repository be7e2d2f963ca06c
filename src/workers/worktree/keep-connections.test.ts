import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { linkState } from '../../git/worktree/link.ts';
import { tamperingSince } from '../../store/tables/history.ts';
import { makeRunWorker } from '../tasks/run-worker.ts';
import { keepConnections } from './keep-connections.ts';

const REVIEWER = { name: 'swarm-1-reviewer', run: 'swarm-1', role: 'reviewer', agent: 'demo', model: undefined };

test('a worktree that lost its link gets it back, and the agent is named; not while llmc itself removes the worktree', async () => {
  await using work = await scratchWork();
  const { context } = work;
  const { worktree_path: path } = await makeRunWorker(context, REVIEWER);
  rmSync(join(path, '.git'));
  const state = () => linkState(context.layout.root, path).kind;
  const reported = () => tamperingSince(context.store.database, 0)?.worker;
  await context.locks.withLock(REVIEWER.name, () => keepConnections(context));
  expect([state(), reported()]).toEqual(['cut', undefined]);
  await keepConnections(context);
  expect([state(), reported()]).toEqual(['whole', REVIEWER.name]);
});
