import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { complaints } from '../support/complaints.ts';
import { testOfFullRun } from '../support/full-run.ts';
import { until } from '../support/scratch-tmux.ts';
import { snapshot } from '../support/snapshot.ts';
import { llmcWorld } from '../support/world.ts';

// The agent waits in the middle of its task until the test opens the gate, so the speed of the machine does not matter.
const GATED = `
turns:
  - steps:
      - run: until [ -e "$HOME/gate" ]; do sleep 0.1; done
      - edit: { path: done.txt, content: "done\\n" }
      - commit: Finish it
`;

describe('a worktree deleted by hand', () => {
  test('while nothing runs: status and doctor still work, and up makes it again with its commits', async () => {
    await using world = await llmcWorld({ workers: ['adam'] });
    await world.ok('start', '--prompt', 'Keep this', '--wait', '--timeout', '90s');
    await world.ok('down');
    rmSync(world.worktree('adam'), { recursive: true });
    expect(await world.worker('adam')).toMatchObject({ status: 'offline', status_before_offline: 'needs_review' });
    expect((await complaints(world)).worktrees?.message).toContain('adam has no worktree');

    await world.comeUp();
    expect(await world.ok('review', 'adam')).toContain('Keep this');
    await world.ok('accept', 'adam');
    expect(await world.git('log', '-1', '--format=%s', 'main')).toBe('Keep this');
    expect(await complaints(world)).toEqual({});
  });

  // The tests above and below delete a worktree while nothing runs and in the middle of a task.
  testOfFullRun('under a running agent: start, review and accept make it again, and the agent runs in it', async () => {
    await using world = await llmcWorld({ workers: ['adam'] });
    const pid = await world.panePid('adam');
    rmSync(world.worktree('adam'), { recursive: true });
    await world.ok('start', '--prompt', 'Go', '--wait', '--timeout', '90s');
    expect(await world.panePid('adam')).not.toBe(pid);

    rmSync(world.worktree('adam'), { recursive: true });
    expect(await world.ok('review', 'adam')).toContain('Go');
    rmSync(world.worktree('adam'), { recursive: true });
    await world.ok('accept', 'adam');
    expect(await world.git('log', '-1', '--format=%s', 'main')).toBe('Go');
    expect(await world.ok('why', 'adam', '--full')).toContain('its worktree was missing; made again');
  });

  test('in the middle of a task: llmc makes it again, and the agent continues in it', async () => {
    await using world = await llmcWorld({ workers: ['adam'], scenario: GATED });
    await world.ok('start', '--prompt', 'Finish this');
    await until('it to work', async () => (await world.worker('adam')).activity.kind === 'processing');
    const pid = await world.panePid('adam');
    rmSync(world.worktree('adam'), { recursive: true });
    // The worktree is back before the agent is started again: the old agent must not pass the gate.
    await until('the agent to be started again', async () => (await world.panePid('adam').catch(() => pid)) !== pid);
    world.write('gate', '', world.home);
    await world.ok('wait', 'adam', '--for', 'needs_review', '--timeout', '90s');
    expect(await world.worker('adam')).toMatchObject({ crash_count: 0 });
    await world.ok('accept', 'adam');
    expect(await world.git('log', '-1', '--format=%s', 'main')).toBe('Finish it');
  });
});

test('a missing source: every command that needs it reports it, and all work continues when it is back', async () => {
  await using world = await llmcWorld({ workers: ['adam', 'baker'] });
  await world.ok('start', '--worker', 'adam', '--prompt', 'Wait for it', '--wait', '--timeout', '90s');
  renameSync(world.source, `${world.source}-moved`);
  const before = snapshot(world.root);
  for (const args of [
    ['start', '--prompt', 'x'],
    ['review', 'adam'],
    ['accept', 'adam'],
    ['add', 'carol'],
  ]) {
    const error = await world.refused(args);
    expect({ args, ...error }).toMatchObject({ args, status: 2, code: 'SOURCE_MISSING' });
    expect(error.message).toContain(world.source);
  }
  expect((await world.status()).workers).toMatchObject([{ status: 'needs_review' }, { status: 'idle' }]);
  expect((await complaints(world)).source?.message).toContain('does not exist');
  expect(Object.keys(snapshot(world.root))).toEqual(Object.keys(before));

  renameSync(`${world.source}-moved`, world.source);
  await world.ok('accept', 'adam');
  expect(await world.git('log', '-1', '--format=%s', 'main')).toBe('Wait for it');
});

// test/crash kills supervisors in each run: the next one takes the agents over.
testOfFullRun('a killed supervisor leaves its agents running: up takes them over, and down ends them', async () => {
  await using world = await llmcWorld({ workers: ['adam'] });
  const pid = await world.panePid('adam');
  await world.killSupervisor();
  expect((await world.status()).supervisor.running).toBe(false);
  expect(await world.refused(['start', '--prompt', 'x'])).toMatchObject({ status: 2, code: 'SUPERVISOR_NOT_RUNNING' });
  expect(await world.ok('doctor')).toContain('1 running without a supervisor\n        → llmc up --detach');
  await world.comeUp();
  expect(await world.panePid('adam')).toBe(pid);
  await world.ok('start', '--prompt', 'After the fall', '--wait', '--timeout', '90s');

  // Do not wait for its end: the kernel still accepts connections on its socket for a moment.
  process.kill(await world.supervisorPid(), 'SIGKILL');
  await world.comeUp();
  expect(await world.panePid('adam')).toBe(pid);

  await world.killSupervisor();
  expect(await world.ok('down')).toContain('Stopped adam');
  await until('all processes to end', async () => world.processes().length === 0);
});

test('a supervisor stopped by Ctrl+Z: no command hangs, status reads from disk, and only down --force ends it', async () => {
  await using world = await llmcWorld({ workers: ['adam'] });
  const pid = (await world.status()).supervisor.pid ?? 0;
  process.kill(pid, 'SIGSTOP');
  try {
    const { status, stdout } = await world.run(['status']);
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining(`kill -CONT ${pid}`) });
    expect(await world.status()).toMatchObject({ supervisor: { running: true, pid }, workers: [{ name: 'adam', status: 'idle' }] });
    expect((await world.run(['why', 'adam'])).stderr).toContain('the following is from disk');
    for (const args of [['start', '--prompt', 'Never sent'], ['down']])
      expect(await world.refused(args)).toMatchObject({
        status: 2,
        code: 'SUPERVISOR_SILENT',
        hint: expect.stringContaining(`kill -CONT ${pid}`),
      });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await until('the supervisor to answer again', async () => (await world.status()).problems.length === 0);
  expect(await world.worker('adam')).toMatchObject({ status: 'idle', delivery: null });

  process.kill(pid, 'SIGSTOP');
  expect(await world.ok('down', '--force')).toContain('Stopped adam');
  await until('all processes to end', async () => world.processes().length === 0);
});

test('nuke saves the work first, with its uncommitted files, and rescue restores it', async () => {
  await using world = await llmcWorld({ workers: ['adam', 'baker'] });
  await world.ok('start', '--worker', 'adam', '--prompt', 'Precious work', '--wait', '--timeout', '90s');
  world.write('loose.txt', 'not committed\n', world.worktree('adam'));
  expect(await world.ok('nuke', 'adam')).toMatch(/Removed adam\. Its work is saved: llmc rescue show adam\//);
  expect((await world.status()).workers.map(({ name }) => name)).toEqual(['baker']);
  expect(existsSync(world.worktree('adam'))).toBe(false);
  expect(readFileSync(join(world.root, 'config.toml'), 'utf8')).not.toMatch(/^\[workers\.adam\]/m);
  expect(await world.gitIn(world.root, 'branch', '--list', 'llmc/adam')).toBe('');

  const shown = await world.ok('rescue', 'show', 'adam');
  expect(shown).toContain('Precious work');
  expect(shown).toContain('loose.txt');
  await world.ok('rescue', 'restore', 'adam', '--into', 'baker');
  expect(readFileSync(join(world.worktree('baker'), 'loose.txt'), 'utf8')).toBe('not committed\n');
  expect(readFileSync(join(world.worktree('baker'), 'llmc-demo/adam.md'), 'utf8')).toContain('Precious work');
  expect(await world.worker('baker')).toMatchObject({
    status: 'needs_review',
    attention: expect.stringContaining('uncommitted changes besides the commit'),
  });
});
