import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { rowsOfThisRun, testOfFullRun } from '../support/full-run.ts';
import { runReaches, untilAtWork as untilAgentsWork, untilOf } from '../support/run-side.ts';
import { isAlive, type Pane, type ScratchTmux, scratchTmux, until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';

const COMMAND = join(import.meta.dirname, '../../bin/llmc.cjs');
/** Longer than `save_timeout_secs` below. */
const SAVED_WITHIN_MS = 180_000;

const viewSchema = z.object({
  status: z.string(),
  pause: z.object({ until_ms: z.int().nullable(), complete: z.array(z.string()), partial: z.array(z.string()) }).nullable(),
  stages: z.array(z.object({ id: z.string(), state: z.string() })),
});

/** Sections that are written two at a time, then joined. */
const sections = (name: string, draft = 'Join the sections.') => `name: ${name}
inputs: { keys: { type: list } }
roles: { writer: {}, lead: {} }
stages:
  - id: sections
    for_each: { of: inputs.keys, max_parallel: 2 }
    stages: [{ id: write, role: writer, output: section.md, prompt: "Write Section {{item}}." }]
  - { id: draft, role: lead, output: draft.md, prompt: "${draft}" }
`;

/** What an agent writes when it is told to save, and what it adds to it later. */
const HALF = 'Half of it.\n';
const REST = 'The rest of it.\n';
const SAVES = `{ when: pauses this run, steps: [{ leave: { file: section.md, content: "Half of it.\\n" } }, { progress: { done: 2, total: 5, note: second draft } }] }`;
const FINISHES = '{ steps: [{ edit: { path: .llmc-task/out/section.md, append: "The rest of it.\\n" } }] }';
const AT_ONCE = '{ when: Section one, steps: [{ leave: section.md }] }';
const LONG = '{ steps: [{ take: 600s }] }';

let world: World;
let outside: ScratchTmux;
beforeAll(async () => {
  world = await llmcWorld({ stage: 'root', config: '[workflow]\nmax_agents = 8\nsave_timeout_secs = 110\nrecovery_cooldown_ms = 100\n' });
  const args = ['--scenario', world.scenarios];
  writeFileSync(
    join(world.root, 'config.toml'),
    `${readFileSync(join(world.root, 'config.toml'), 'utf8')}[agents.demo]\nargs = ${JSON.stringify(args)}\n`,
  );
  mkdirSync(join(world.root, 'workflows'), { recursive: true });
  await world.comeUp();
  outside = await scratchTmux();
});
afterAll(async () => {
  await outside[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** The workflow and what its agents do; the run of it is `<name>-1`. */
function define(name: string, turns: readonly string[]): void {
  writeFileSync(join(world.root, 'workflows', `${name}.yaml`), sections(name));
  behave(name, turns);
}

/** An agent reads it when it starts. */
function behave(name: string, turns: readonly string[]): void {
  for (const worker of ['writer', 'writer-2'])
    writeFileSync(join(world.scenarios, `${name}-1-${worker}.yaml`), `turns:\n${turns.map((turn) => `  - ${turn}\n`).join('')}`);
}

const inputs = (...keys: readonly string[]) => keys.flatMap((key) => ['--input', `keys=${key}`]);

/** Types a command into a terminal. */
async function typed(name: string, ...args: string[]): Promise<Pane> {
  return await outside.start({ name, argv: [process.execPath, COMMAND, ...args], cwd: world.dir, env: world.env, width: 120, height: 40 });
}

const shows =
  (text: string) =>
  ({ lines }: { readonly lines: readonly string[] }) =>
    lines.some((line) => line.includes(text));
const show = async (run: string) => await world.json(viewSchema, 'show', run);
const untilStatus = (run: string, status: string) => runReaches(world, run, status);
const untilAtWork = async (run: string, ...addresses: readonly string[]) =>
  await untilAgentsWork(world, run, ...addresses.map((address) => `${address}: writer(?:-2)?`));

/** The texts that the stage left, by item. */
const left = (run: string, key: string) =>
  globSync(`runs/${run}/artifacts/write/${key}-*`, { cwd: world.root }).map((path) => readFileSync(join(world.root, path), 'utf8'));

const sessionsOf = async (run: string) => {
  const { stdout } = await world.shell(`tmux -S ${join(world.root, 'run', 'tmux.sock')} list-sessions -F '#{session_name}' || true`);
  return stdout.split('\n').filter((name) => name.startsWith(`llmc-${run}-`));
};

test('Ctrl+C in a terminal: agents save, everything rests, a power cut changes nothing, and a menu lets the run go on', async () => {
  define('ctrlc', [SAVES, AT_ONCE, LONG, FINISHES]);
  const pane = await typed('ctrlc', 'run', 'ctrlc', ...inputs('one', 'two', 'three', 'four'));
  await untilAtWork('ctrlc-1', 'write/2', 'write/3');
  await pane.keys('C-c');
  expect(await pane.exit(SAVED_WITHIN_MS)).toEqual({ status: 130, signal: null });
  const screen = await pane.history();
  expect(screen).toContain('Pausing ctrlc-1. Ctrl+C again leaves this command, and the pause goes on.');
  expect(screen).toMatch(/Pausing: agents save what they have, [\dms ]+ left\./);
  expect(screen).toContain('complete: write/1');
  expect(screen).toContain('partial: write/2 (40 %: second draft), write/3 (40 %: second draft)');
  expect(screen).toContain('llmc resume ctrlc-1');
  await until('the agents to rest', async () => (await sessionsOf('ctrlc-1')).length === 0);
  const kept = () => globSync('runs/ctrlc-1/partial/write/[23]-1/section.md', { cwd: world.root });
  await until('what they had left to be kept', async () => kept().length === 2);

  await world.cutPower();
  await world.comeUp();
  expect(await show('ctrlc-1')).toMatchObject({ status: 'paused', pause: { complete: ['write/1'], partial: ['write/2', 'write/3'] } });
  expect(await sessionsOf('ctrlc-1')).toEqual([]);

  const menu = await typed('menu', 'resume', 'ctrlc-1');
  await menu.waitFor('the menu', shows('leave it paused'));
  await menu.type('nonsense');
  await menu.keys('Enter');
  await menu.waitFor('the question again', shows('Type a number from 1 to'));
  await menu.keys('Enter');
  await menu.waitFor('the run to be followed', shows('ctrlc-1 goes on. Ctrl+C pauses it'));
  await untilAtWork('ctrlc-1', 'write/4');
  // Told to save, an agent that has just finished would begin its section again.
  await untilOf(world, 'ctrlc-1', 'the results of write/2 and write/3', async () =>
    ['2', '3'].every((key) => left('ctrlc-1', key).length === 1),
  );
  await menu.keys('C-c');
  expect(await menu.exit(SAVED_WITHIN_MS)).toEqual({ status: 130, signal: null });
  const followed = await menu.history();
  expect(followed).toContain('Pausing ctrlc-1.');
  // What the command run has told is not told again.
  expect(followed.split('\n').filter((line) => line.includes('write/1: '))).toEqual([]);
  const { stdout, stderr } = await world.run(['resume', 'ctrlc-1']);
  expect(stderr).toContain('ctrlc-1 goes on. Ctrl+C pauses it');
  expect(stdout).toContain('ctrlc-1');
  expect(await show('ctrlc-1')).toMatchObject({ status: 'done' });
  expect(left('ctrlc-1', '1')).toHaveLength(1);
  for (const key of ['2', '3', '4']) expect(left('ctrlc-1', key)).toEqual([`${HALF}${REST}`]);
});

test('a second Ctrl+C leaves at once; a supervisor that is killed while it pauses finishes the pause', async () => {
  define('twice', ['{ when: pauses this run, steps: [{ take: 600s }] }', LONG, FINISHES]);
  const pane = await typed('twice', 'run', 'twice', ...inputs('one'));
  await untilAtWork('twice-1', 'write/1');
  await pane.keys('C-c');
  await pane.waitFor('the countdown', shows('agents save what they have'));
  await pane.keys('C-c');
  expect(await pane.exit()).toEqual({ status: 130, signal: null });
  expect((await show('twice-1')).pause?.until_ms).not.toBeNull();
  await world.killSupervisor();
  await world.comeUp();
  expect((await show('twice-1')).pause).not.toBeNull();
  await world.ok('pause', 'twice-1', '--now');
  await untilStatus('twice-1', 'paused');
  behave('twice', [FINISHES, FINISHES, FINISHES]);
  await world.ok('resume', 'twice-1', '--detach');
  await untilStatus('twice-1', 'done');
  expect(left('twice-1', '1')).toEqual([REST]);
});

test('without its terminal, and without its command, a run goes on', async () => {
  const gate = join(world.dir, 'gate');
  const waits = `{ when: Section, steps: [{ run: "until [ -e ${gate} ]; do sleep 0.1; done" }, { leave: section.md }] }`;
  define('closed', [waits]);
  define('termed', [waits]);
  await typed('closed', 'run', 'closed', ...inputs('one'));
  const termed = await typed('termed', 'run', 'termed', ...inputs('one'));
  await untilAtWork('closed-1', 'write/1');
  await untilAtWork('termed-1', 'write/1');
  await outside.tmux(['kill-pane', '-t', '=closed:']);
  process.kill(termed.pid, 'SIGTERM');
  expect(await termed.exit()).toMatchObject({ status: 130 });
  writeFileSync(gate, '');
  await untilStatus('closed-1', 'done');
  await untilStatus('termed-1', 'done');
});

test.each(rowsOfThisRun(['SIGTERM', 'SIGINT', 'SIGHUP'] as const, (signal) => signal === 'SIGTERM'))(
  'a supervisor that gets %s ends, and the run goes on at the next start',
  async (signal) => {
    const name = signal.toLowerCase();
    const gate = join(world.dir, `gate-${name}`);
    define(name, [`{ when: Section, steps: [{ run: "until [ -e ${gate} ]; do sleep 0.1; done" }, { leave: section.md }] }`]);
    await world.ok('run', name, ...inputs('one'), '--detach');
    await untilAtWork(`${name}-1`, 'write/1');
    const pid = await world.supervisorPid();
    process.kill(pid, signal);
    await until('the supervisor to be gone', async () => !isAlive(pid));
    expect(await show(`${name}-1`)).toMatchObject({ status: 'running' });
    writeFileSync(gate, '');
    await world.comeUp();
    await untilStatus(`${name}-1`, 'done');
    expect(left(`${name}-1`, '1')).toHaveLength(1);
  },
);

test('an agent that is parked at a limit rests at once, and one that ignores the interrupt is stopped with --now', async () => {
  define('parked', ['{ steps: [{ fail: { type: rate_limit, message: You have reached your limit, resets_in: 1h } }] }', FINISHES]);
  define('deaf', ['{ misbehave: [ignore_interrupt], steps: [{ take: 600s }] }', FINISHES]);
  await world.ok('run', 'deaf', ...inputs('one'), '--detach');
  await untilAtWork('deaf-1', 'write/1');
  await world.ok('pause', 'deaf-1', '--now');
  await untilStatus('deaf-1', 'paused');
  await until('the agent to rest', async () => (await sessionsOf('deaf-1')).length === 0);
  behave('deaf', [FINISHES, FINISHES, FINISHES]);
  await world.ok('resume', 'deaf-1', '--detach');
  await untilStatus('deaf-1', 'done');

  await world.ok('run', 'parked', ...inputs('one'), '--detach');
  const parked = () =>
    world.rows(z.object({}), `SELECT 1 FROM run_events WHERE run = 'parked-1' AND consumed AND event_json LIKE '%"parked"%'`);
  await untilOf(world, 'parked-1', 'to know of the limit', async () => parked().length > 0);
  const started = Date.now();
  await world.ok('pause', 'parked-1');
  expect(await show('parked-1')).toMatchObject({ status: 'paused', pause: { partial: ['write/1'] } });
  // Not the time that agents at work have: nobody could read the request. Generous for a slow machine.
  expect(Date.now() - started).toBeLessThan(100_000);
  await world.ok('abort', 'parked-1', '--reason', 'seen enough');
  await world.ok('unpark', 'demo');
});

test('a changed workflow: what it does is shown first, and only the stages that changed are done again', async () => {
  define('changed', [AT_ONCE]);
  writeFileSync(join(world.scenarios, 'changed-1-lead.yaml'), 'turns:\n  - { when: Join the, steps: [{ take: 600s }] }\n');
  await world.ok('run', 'changed', ...inputs('one'), '--detach');
  await untilAgentsWork(world, 'changed-1', 'draft: lead');
  await world.ok('pause', 'changed-1', '--now');
  const file = join(world.dir, 'changed.yaml');
  writeFileSync(file, sections('changed', 'Combine {{sections.done}} sections.'));
  const planned = await world.run(['resume', 'changed-1', '--workflow', file, '--dry-run']);
  expect(planned.stdout).toBe(
    'With the changed workflow:\n    changed: draft\n    begins again: draft\n    The earlier results are kept in its archive.\nNothing was changed.\n',
  );
  expect(await show('changed-1')).toMatchObject({ status: 'paused' });
  const pane = await typed('changed', 'resume', 'changed-1', '--workflow', file);
  await pane.waitFor('the question', shows('Go on with the changed workflow? [y/N]'));
  expect((await pane.history()).split('\n')).toContain('    begins again: draft');
  await pane.type('y');
  await pane.keys('Enter');
  expect(await pane.exit(SAVED_WITHIN_MS)).toEqual({ status: 0, signal: null });
  expect(await show('changed-1')).toMatchObject({ status: 'done' });
  expect(left('changed-1', '1')).toHaveLength(1);
  expect(await world.refused(['resume', 'changed-1'])).toMatchObject({ message: 'changed-1 is done: nothing more happens in it' });
});

// The first test shows a power cut of a paused run, the second one a supervisor that is killed while it pauses.
testOfFullRun('a power cut while a run pauses: the pause is finished at the next start, and nothing is lost', async () => {
  define('cut', ['{ when: pauses this run, steps: [{ take: 600s }] }', LONG, FINISHES]);
  await world.ok('run', 'cut', ...inputs('one', 'two'), '--detach');
  await untilAtWork('cut-1', 'write/1', 'write/2');
  const pane = await typed('cut', 'pause', 'cut-1');
  await pane.waitFor('the countdown', shows('agents save what they have'));
  await world.cutPower();
  await world.comeUp();
  await untilStatus('cut-1', 'paused');
  behave('cut', [FINISHES, FINISHES, FINISHES]);
  await world.ok('resume', 'cut-1', '--detach');
  await untilStatus('cut-1', 'done');
  for (const key of ['1', '2']) expect(left('cut-1', key)).toEqual([REST]);
});
