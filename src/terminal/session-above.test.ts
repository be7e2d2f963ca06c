import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchTmux, until } from '../../test/support/scratch-tmux.ts';
import { sessionAbove } from './session-above.ts';

test('a process below the tmux server of the root is inside, under any name of the socket, and below no other server', async () => {
  await using tmux = await scratchTmux();
  const { pid } = await tmux.start({ name: 'shell', argv: ['sleep', '600'], cwd: tmux.directory });
  const run = join(tmux.directory, 'run');
  expect(sessionAbove(pid, { tmuxSocket: tmux.socket, run })).toEqual({ worker: undefined });
  symlinkSync(tmux.socket, join(tmux.directory, 'link'));
  expect(sessionAbove(pid, { tmuxSocket: join(tmux.directory, 'link'), run })).toEqual({ worker: undefined });
  expect(sessionAbove(pid, { tmuxSocket: join(tmux.directory, 'other.sock'), run })).toBeUndefined();
  expect(sessionAbove(process.pid, { tmuxSocket: tmux.socket, run })).toBeUndefined();
});

test('a process with the environment of an agent is inside the worker of this root that its scratch folder names', async () => {
  await using tmux = await scratchTmux();
  const env = { LLMC_SCRATCH: join(tmux.directory, 'run', 'workers', 'adam') };
  // Until it runs, a new process has the environment of the tmux server.
  const running = join(tmux.directory, 'running');
  const argv = ['sh', '-c', 'touch "$1"; exec sleep 600', 'sh', running] as const;
  const { pid } = await tmux.start({ name: 'agent', argv, cwd: tmux.directory, env });
  await until('the agent to run', async () => existsSync(running));
  const place = { tmuxSocket: join(tmux.directory, 'other.sock'), run: join(tmux.directory, 'run') };
  expect(sessionAbove(pid, place)).toEqual({ worker: 'adam' });
  expect(sessionAbove(pid, { ...place, run: join(tmux.directory, 'another', 'run') })).toBeUndefined();
});

test('a process that the supervisor started is inside', () => {
  const place = { tmuxSocket: '/nowhere/tmux.sock', run: '/nowhere' };
  expect(sessionAbove(process.pid, place, [process.ppid])).toEqual({ worker: undefined });
});
