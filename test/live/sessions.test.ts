import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld } from '../support/world.ts';

test('a session is read from tmux: at rest, crashed with its exit code, gone without a trace', async () => {
  await using world = await llmcWorld({ workers: ['adam', 'baker'] });
  const progress = join(world.worktree('adam'), '.llmc-task/out/progress.yaml');
  mkdirSync(dirname(progress), { recursive: true });
  writeFileSync(progress, 'done: 3\ntotal: 5\nnote: "a, b"\n');
  const csv = async (...names: string[]) => (await world.ok('sessions', 'check', ...names, '--csv')).trimEnd().split('\n');
  expect(await csv()).toEqual(['llmc-adam,idle,3/5,,,idle,,demo,', 'llmc-baker,idle,,,,idle,,demo,']);
  expect(await csv('llmc-baker', 'lost, "and" found')).toEqual([
    'llmc-baker,idle,,,,idle,,demo,',
    '"lost, ""and"" found",,,,,not_found,,,',
  ]);
  expect(JSON.parse(await world.ok('sessions', 'check', 'adam', '--json'))).toMatchObject({
    sessions: [{ session: 'llmc-adam', worker: 'adam', run: null, tasks_done: 3, tasks_total: 5, session_state: 'idle' }],
  });

  // Without a supervisor nobody starts the agents again.
  const pid = await world.panePid('adam');
  await world.killSupervisor();
  process.kill(pid, 'SIGKILL');
  await until('the crash', async () => (await csv('adam'))[0] === 'llmc-adam,idle,3/5,,137,crashed,,demo,');
  execFileSync('tmux', ['-S', join(world.root, 'run/tmux.sock'), 'kill-session', '-t', '=llmc-baker']);
  expect(await csv('baker')).toEqual(['llmc-baker,idle,,,,not_found,,demo,']);
  expect(await world.refused(['sessions', 'list'])).toMatchObject({ code: 'INVALID_ARGUMENT', hint: 'llmc sessions check' });
});
