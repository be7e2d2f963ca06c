import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import { isFullRun } from '../support/full-run.ts';
import { type ScratchUser, scratchUser, userTest } from '../support/scratch-user.ts';
import { llmcWorld, type World, type WorldOptions } from '../support/world.ts';

const TASK = 'Write down that users are walls';
const review = z.object({ worker: z.string(), diff: z.string() });

const sandboxOf = ({ name }: ScratchUser): string => `[sandbox]\nkind = "user"\nuser = "${name}"\n`;

/** What happens to the worktree is shown for llmc's own user in test/live/trouble.test.ts, its owner in test/hostile/sandbox-user.test.ts. */
function userTestOfFullRun(name: string, run: () => Promise<void>): void {
  if (isFullRun) userTest(name, run);
}

/** A world whose folder other users can pass through, as they can through /srv or /home. */
async function userWorld(user: ScratchUser, { stage = 'up', ...options }: WorldOptions = {}): Promise<World> {
  const world = await llmcWorld({ workers: ['adam'], config: sandboxOf(user), ...options, stage: 'root' });
  chmodSync(world.dir, 0o711);
  if (stage === 'up') await world.comeUp();
  return world;
}

async function workForReview(world: World): Promise<void> {
  await world.ok('start', '--worker', 'adam', '--prompt', TASK);
  await world.ok('wait', 'adam', '--for', 'needs_review', '--timeout', '90s');
}

userTest('a whole task as another user: the agent commits, the review shows it, validate runs as that user, and it lands', async () => {
  using user = scratchUser();
  await using world = await userWorld(user);
  world.set('repo', `validate = ["test $(id -u) = ${user.uid}", "test -s llmc-demo/adam.md"]`);
  await workForReview(world);
  expect(user.processes()).toContain(await world.panePid('adam'));
  expect(lstatSync(join(world.worktree('adam'), 'llmc-demo/adam.md')).uid).toBe(user.uid);
  expect(await world.ok('why', 'adam')).toContain('(demo, as a user of its own)');

  const shown = await world.json(review, 'review', 'adam');
  expect(shown.diff).toContain(TASK);
  await world.ok('accept', 'adam');
  expect(readFileSync(join(world.source, 'llmc-demo/adam.md'), 'utf8')).toContain(TASK);
  expect(lstatSync(join(world.source, 'llmc-demo/adam.md')).uid).toBe(0);
  expect(await world.worker('adam')).toMatchObject({ status: 'idle', current_prompt: null });
  const { stdout } = await world.run(['doctor']);
  expect(stdout).toContain(`adam can run as ${user.name}`);
  expect(stdout).toContain('only this user can read');
});

userTest('the sockets of a running supervisor are closed to the user of its agents', async () => {
  using user = scratchUser();
  await using world = await userWorld(user);
  const asAgent = (...argv: string[]) =>
    execFileSync('setpriv', [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--', ...argv], {
      cwd: '/',
      stdio: 'pipe',
      encoding: 'utf8',
    });
  expect(() => asAgent('tmux', '-S', join(world.root, 'run/tmux.sock'), 'list-sessions')).toThrow('Permission denied');
  expect(() => asAgent('test', '-w', join(world.root, 'run/api.sock'))).toThrow();
  expect(() => asAgent('test', '-r', join(world.root, 'run/owner.json'))).toThrow();
  expect(asAgent('ls', world.worktree('adam'))).toBe('README.md\n');
});

userTest('llmc down leaves no process of the user, and the next up goes on in the conversation', async () => {
  using user = scratchUser();
  await using world = await userWorld(user);
  await workForReview(world);
  expect(user.processes()).not.toEqual([]);
  await world.ok('down');
  expect(user.processes()).toEqual([]);
  await world.comeUp();
  expect(await world.worker('adam')).toMatchObject({ status: 'needs_review' });
  expect(await world.ok('why', 'adam')).toContain('resuming its conversation');
  await world.ok('review', 'adam');
  await world.ok('reject', '--worker', 'adam', 'Say it again');
  await world.ok('wait', 'adam', '--for', 'needs_review', '--timeout', '90s');
  await world.ok('review', 'adam');
  await world.ok('accept', 'adam');
  expect(readFileSync(join(world.source, 'llmc-demo/adam.md'), 'utf8')).toContain(TASK);
});

userTestOfFullRun('a reset and a nuke save the work of another user, and leave nothing of it', async () => {
  using user = scratchUser();
  await using world = await userWorld(user);
  await workForReview(world);
  await world.ok('reset', 'adam');
  expect(await world.ok('rescue', 'show', 'adam')).toContain(TASK);
  await workForReview(world);
  await world.ok('nuke', 'adam');
  for (const path of ['sandbox/adam', '.worktrees/adam', 'events/adam', 'run/workers/adam'])
    expect(existsSync(join(world.root, path))).toBe(false);
  expect(user.processes()).toEqual([]);
  expect(await world.gitIn(world.root, 'for-each-ref', 'refs/llmc/imported', 'refs/heads/llmc')).toBe('');
});

userTestOfFullRun('a worker goes from its user to llmc and to another user with its work', async () => {
  using user = scratchUser();
  using other = scratchUser();
  await using world = await userWorld(user);
  await workForReview(world);
  const config = join(world.root, 'config.toml');
  const file = join(world.worktree('adam'), 'llmc-demo/adam.md');
  for (const [line, uid] of [
    ['kind = "none"', 0],
    [`kind = "user"\nuser = "${other.name}"`, other.uid],
    [`kind = "user"\nuser = "${user.name}"`, user.uid],
  ] as const) {
    await world.ok('down');
    writeFileSync(config, readFileSync(config, 'utf8').replace(/kind = .*(\nuser = .*)?/, line));
    await world.comeUp();
    expect(lstatSync(file).uid).toBe(uid);
    expect(await world.ok('review', 'adam')).toContain(TASK);
  }
  await world.ok('accept', 'adam');
  expect(readFileSync(join(world.source, 'llmc-demo/adam.md'), 'utf8')).toContain(TASK);
});

userTestOfFullRun('a deleted worktree is made again for the user, with its commits', async () => {
  using user = scratchUser();
  await using world = await userWorld(user);
  await workForReview(world);
  await world.ok('down');
  rmSync(world.worktree('adam'), { recursive: true });
  await world.comeUp();
  expect(lstatSync(world.worktree('adam')).uid).toBe(user.uid);
  await world.ok('review', 'adam');
  await world.ok('accept', 'adam');
  expect(readFileSync(join(world.source, 'llmc-demo/adam.md'), 'utf8')).toContain(TASK);
});

userTest('without its user an agent does not start and the worker says what to type; its work still lands', async () => {
  using user = scratchUser();
  await using world = await userWorld(user);
  await workForReview(world);
  await world.ok('down');
  user.remove();
  expect(await world.ok('up', '--detach')).toMatch(new RegExp(`adam: not ready.*was not started: there is no user ${user.name}`, 's'));
  expect((await world.run(['doctor'])).stdout).toMatch(
    new RegExp(`there is no user ${user.name}.*adam.*useradd --create-home ${user.name}`, 's'),
  );
  expect(await world.ok('review', 'adam')).toContain(TASK);
  await world.ok('accept', 'adam');
  expect(readFileSync(join(world.source, 'llmc-demo/adam.md'), 'utf8')).toContain(TASK);
});

userTest('an agent does not start when nothing can run as its user, or when the user cannot reach the root', async () => {
  using user = scratchUser();
  await using world = await userWorld(user, { stage: 'root' });
  const programs = join(world.dir, 'programs');
  mkdirSync(programs);
  writeFileSync(join(programs, 'setpriv'), '#!/bin/sh\necho "setpriv: setresuid failed: Operation not permitted" >&2\nexit 127\n');
  chmodSync(join(programs, 'setpriv'), 0o755);
  const env = { PATH: `${programs}:${process.env.PATH}` };
  const { stdout } = await world.run(['up', '--detach'], { env });
  expect(stdout).toMatch(/adam: not ready.*was not started: nothing runs as .*setresuid failed/s);
  expect(user.processes()).toEqual([]);
  await world.ok('down');
  chmodSync(world.dir, 0o700);
  expect((await world.run(['doctor'])).stdout).toContain(`chmod o+x ${world.dir}`);
  expect(await world.ok('up', '--detach')).toContain(`${user.name} cannot pass through ${world.dir}`);
});

userTest('two workers with a user each: neither reads the worktree of the other, and both have work for review', async () => {
  using user = scratchUser();
  using second = scratchUser({ group: user.gid });
  await using world = await userWorld(user, { workers: ['adam', 'baker'], stage: 'root' });
  const config = join(world.root, 'config.toml');
  writeFileSync(config, readFileSync(config, 'utf8').replace('[workers.baker]', `[workers.baker]\nsandbox_user = "${second.name}"`));
  await world.comeUp();
  await workForReview(world);
  await world.ok('start', '--worker', 'baker', '--prompt', TASK);
  await world.ok('wait', 'baker', '--for', 'needs_review', '--timeout', '90s');
  expect(second.processes()).toContain(await world.panePid('baker'));
  expect(() =>
    execFileSync('setpriv', [`--reuid=${second.uid}`, `--regid=${user.gid}`, '--clear-groups', 'ls', world.worktree('adam')], {
      stdio: 'pipe',
    }),
  ).toThrow('Permission denied');
});
