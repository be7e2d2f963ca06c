import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { llmcWorld } from '../support/world.ts';
import { statusContract } from '../support/world-contract.ts';

test('two roots of one repository with the same worker names do not affect each other', async () => {
  await using world = await llmcWorld({ workers: ['adam'] });
  const other = join(world.dir, 'other');
  await world.ok('init', '--source', world.source, '--target', other, '--agent', 'demo');
  await world.ok('add', 'adam', '--root', other);
  const refusal = await world.refused(['start', '--root', other, '--prompt', 'Too early']);
  expect(refusal.code).toBe('SUPERVISOR_NOT_RUNNING');
  await world.comeUp('--root', other);
  const there = () => world.json(statusContract, 'status', '--root', other);
  const [here, second] = [await world.status(), await there()];
  expect(here.supervisor.pid).not.toBe(second.supervisor.pid);
  expect(second).toMatchObject({ root: other, source: world.source, workers: [{ name: 'adam', status: 'idle' }] });

  await Promise.all([
    world.ok('start', '--prompt', 'Note from the first root', '--wait', '--timeout', '90s'),
    world.ok('start', '--root', other, '--prompt', 'Note from the second root', '--wait', '--timeout', '90s'),
  ]);
  expect(await world.ok('review', 'adam', '--stat')).toContain('Note from the first root');
  expect(await world.ok('review', 'adam', '--stat', '--root', other)).toContain('Note from the second root');

  await world.ok('down', '--root', other);
  expect(existsSync(join(other, 'run', 'tmux.sock'))).toBe(false);
  expect(await there()).toMatchObject({ supervisor: { running: false }, workers: [{ status: 'offline' }] });
  expect(await world.worker('adam')).toMatchObject({ status: 'needs_review', activity: { kind: 'ready' } });
  await world.ok('accept', 'adam');
  expect(await world.git('log', '--format=%s', 'main')).toBe('Note from the first root\nBegin');

  // Both changed the same new file: the second accept reports the conflict, and the worker stays in review.
  const conflict = await world.refused(['accept', 'adam', '--root', other]);
  expect(conflict).toMatchObject({ status: 2, code: 'REBASE_CONFLICT', details: 'llmc-demo/adam.md' });
  expect(await there()).toMatchObject({ workers: [{ status: 'offline', status_before_offline: 'needs_review' }] });
  expect(await world.git('log', '--format=%s', 'main')).toBe('Note from the first root\nBegin');
});
