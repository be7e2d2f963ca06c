import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { isAlive, until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';

// The agent waits in the middle of its task until the test opens the gate, so the speed of the machine does not matter.
const SLOW = `
turns:
  - when: be slow
    steps:
      - edit: { path: notes.txt, content: "half\\n" }
      - run: until [ -e "$HOME/gate" ]; do sleep 0.1; done
      - edit: { path: notes.txt, append: "whole\\n" }
      - commit: "{{task}}"
`;

const openGate = (world: World) => world.write('gate', '', world.home);
const launches = (world: World, name: string) =>
  world.rows(z.object({ summary: z.string() }), "SELECT summary FROM history WHERE worker = ? AND kind = 'launch'", name).length;

async function serverPid(world: World): Promise<number> {
  const { stdout, stderr } = await world.shell(`tmux -S '${join(world.root, 'run', 'tmux.sock')}' display-message -p '#{pid}'`);
  const pid = Number(stdout);
  if (!(pid > 0)) throw new Error(`no tmux server: ${stderr}`);
  return pid;
}

test('a killed tmux server ends all agents: each comes back in its conversation, continues, and does its task once', async () => {
  // A pass leaves out a worker whose step is under way, as those of the two at work may be, and of another one on a busy machine: five
  // others make most of the fleet.
  const names = ['adam', 'baker', 'carl', 'dora', 'eve', 'fred', 'gail', 'hal', 'ida'];
  await using world = await llmcWorld({ workers: names, scenario: SLOW });
  await Promise.all(['adam', 'baker'].map((name) => world.ok('start', '--worker', name, '--prompt', 'be slow')));
  const atWork = (name: string) => existsSync(join(world.worktree(name), 'notes.txt'));
  await until('both to be working', async () => atWork('adam') && atWork('baker'));
  const agents = await Promise.all(names.map((name) => world.panePid(name)));
  const supervisor = await world.supervisorPid();
  // Pause the supervisor, so that one pass observes all exits: on a busy machine the first agent would be back before the last one exits.
  process.kill(supervisor, 'SIGSTOP');
  try {
    process.kill(await serverPid(world), 'SIGKILL');
    await until('every agent to have ended', async () => !agents.some(isAlive));
  } finally {
    process.kill(supervisor, 'SIGCONT');
  }
  await until('every agent to be back', async () => names.every((name) => launches(world, name) === 2));
  openGate(world);
  for (const name of ['adam', 'baker']) {
    await until(`${name} to be done`, async () => (await world.worker(name)).status === 'needs_review');
    expect(await world.gitIn(world.worktree(name), 'show', 'HEAD:notes.txt')).toBe('half\nwhole');
  }
  // llmc observes again before it acts when most of the fleet seems dead in one pass, and reports it once.
  const doubted = world.rows(z.object({ summary: z.string() }), "SELECT summary FROM history WHERE kind = 'observe'");
  expect(doubted.map(({ summary }) => summary)).toEqual(['most of the fleet seems dead; observing again before acting']);
  await until('the others to be ready', async () => (await world.status()).workers.every(({ activity }) => activity.kind === 'ready'));
  expect(names.map((name) => launches(world, name))).toEqual(names.map(() => 2));
});

test('a session that a person opened under the name of a worker’s is named and left alone until the person ends it', async () => {
  await using world = await llmcWorld({ workers: ['adam'] });
  const socket = join(world.root, 'run', 'tmux.sock');
  const tmux = async (words: string) => (await world.shell(`tmux -S '${socket}' ${words}`)).stdout;
  await world.ok('down');
  // Its marks say that it is the agent's; its command does not.
  await tmux("new-session -d -s llmc-adam cat ';' set-option -p -t =llmc-adam: @llmc_mark agent");
  await world.run(['up', '--detach']);
  await until('the session to be named', async () => {
    const { stdout } = await world.run(['why', 'adam']);
    return stdout.includes('llmc did not open the tmux session llmc-adam') && stdout.includes("kill-session -t '=llmc-adam'");
  });
  expect((await tmux('capture-pane -p -t =llmc-adam:')).trim()).toBe('');
  expect(await tmux("display-message -p -t =llmc-adam: '#{pane_start_command}'")).toContain('cat');
  await tmux('kill-session -t =llmc-adam');
  await until('the agent to run', async () => (await world.status()).workers.every(({ activity }) => activity.kind === 'ready'));
});

test('a tmux that hangs makes no agent count as dead, and all work continues when it answers again', async () => {
  await using world = await llmcWorld({ workers: ['adam', 'baker'], scenario: SLOW });
  await world.ok('start', '--worker', 'adam', '--prompt', 'be slow');
  await until('it to be working', async () => existsSync(join(world.worktree('adam'), 'notes.txt')));

  // Stop the server itself, so that neither single commands nor the control client (tmux 3.7) get an answer.
  const server = await serverPid(world);
  process.kill(server, 'SIGSTOP');
  try {
    // This lasts longer than the timeout of a tmux command.
    await until('every activity to be unknown', async () =>
      (await world.status()).workers.every(({ activity }) => activity.kind === 'unknown'),
    );
    expect((await world.worker('adam')).status).toBe('working');
  } finally {
    process.kill(server, 'SIGCONT');
  }
  openGate(world);
  await until('the task to be done', async () => (await world.worker('adam')).status === 'needs_review');
  expect(['adam', 'baker'].map((name) => launches(world, name))).toEqual([1, 1]);
  expect((await world.worker('adam')).crash_count).toBe(0);
});
