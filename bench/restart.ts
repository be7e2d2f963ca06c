import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeLayout } from '../src/store/layout.ts';
import { type Comparison, median } from './compare.ts';
import { makeWorld, program, type World } from './world.ts';

const SCENARIO = 'turns:\n  - steps:\n      - take: 2h\n';
/** No wait before a restart or between a paste and its Enter, and no limit: the waits of the policy are not measured. */
const NO_WAITS = '[recovery]\ncrash_backoff_secs = [0]\nmax_crashes = 100\n[delivery]\ndebounce_base_ms = 0\n';
const PATIENCE_MS = 60_000;
const ROUNDS = 15;
const WARM_UPS = 2;

/** Measures the time from the kill of an agent at work to its report that it has taken the prompt to continue. The yardstick is its own start. */
export async function restart(): Promise<readonly Comparison[]> {
  using world = makeWorld();
  world.init();
  const scenario = join(world.folder, 'scenario.yaml');
  writeFileSync(scenario, SCENARIO);
  writeFileSync(join(world.root, 'config.toml'), `\n[agents.demo]\nargs = ["--scenario", ${JSON.stringify(scenario)}]\n${NO_WAITS}`, {
    flag: 'a',
  });
  world.llmc('add', 'adam');
  world.llmc('up', '--detach');
  world.llmc('start', '--worker', 'adam', '--prompt', 'keep busy');
  const rounds: (Start & { readonly again: number })[] = [];
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    const times = { again: await killedToProcessing(world), ...(await startByHand(world, scenario)) };
    if (round >= 0) rounds.push(times);
  }
  const ours = median(rounds.map(({ again }) => again));
  const row = { name: 'from kill -9 of an agent to processing again', ours, aim: 2, note: `median of ${ROUNDS}` };
  return [
    { ...row, yardstick: 'its own start', theirs: median(rounds.map(({ ready }) => ready)) },
    { ...row, yardstick: 'its own start and a typed prompt', theirs: median(rounds.map(({ processing }) => processing)) },
  ];
}

interface Start {
  readonly ready: number;
  readonly processing: number;
}

async function killedToProcessing(world: World): Promise<number> {
  const { tmuxSocket, database: path } = makeLayout(world.root);
  using database = new DatabaseSync(path, { readOnly: true });
  const taken = () => database.prepare("SELECT seq, at_ms FROM events WHERE name = 'prompt_submit' ORDER BY seq DESC LIMIT 1").get();
  const before = Number(taken()?.seq);
  const pid = Number(world.run('tmux', ['-S', tmuxSocket, 'display-message', '-p', '-t', '=llmc-adam:', '#{pane_pid}']));
  const killedAt = Date.now();
  process.kill(pid, 'SIGKILL');
  await until(() => Number(taken()?.seq) > before);
  return Number(taken()?.at_ms) - killedAt;
}

/** What a person would do: start the agent in tmux, and type as soon as it is ready. */
async function startByHand(world: World, scenario: string): Promise<Start> {
  const id = randomUUID();
  const spool = join(world.folder, `spool-${id}`);
  mkdirSync(spool);
  const tmux = (...args: string[]) => world.run('tmux', ['-u', '-S', join(world.folder, 'own.sock'), ...args]);
  const agent = [process.execPath, join(program, '../../dist/demo-agent.js'), '--session-id', id, '--scenario', scenario];
  const at = (event: string) =>
    readdirSync(spool).flatMap((file) => (file.startsWith(`0~${event}~`) ? [Number(file.split('~')[2]?.split('-')[0])] : []))[0];
  const startedAt = Date.now();
  tmux('new-session', '-d', '-x', '200', '-y', '50', '-e', `LLMC_SPOOL=${spool}`, '-c', world.source, ...agent);
  try {
    await until(() => tmux('capture-pane', '-p').includes('❯'));
    tmux('send-keys', '-l', 'keep busy');
    await until(() => tmux('capture-pane', '-p').includes('keep busy'));
    tmux('send-keys', 'Enter');
    await until(() => at('prompt_submit') !== undefined);
  } finally {
    tmux('kill-server');
  }
  const since = (event: string) => (at(event) ?? Number.NaN) - startedAt;
  return { ready: since('session_start'), processing: since('prompt_submit') };
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('the agent did not take its prompt');
    await sleep(2);
  }
}
