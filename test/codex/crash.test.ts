import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FaultPoint } from '../../src/base/fault.ts';
import { SERVER_WINDOW } from '../../src/terminal/panes.ts';
import { rowsOfThisRun } from '../support/full-run.ts';
import { isAlive } from '../support/scratch-tmux.ts';
import { type CodexWorld, codexWorld, program } from './llmc-world.ts';

type Fault = FaultPoint | `${FaultPoint}@${number}`;

/** The state of the prompt in the ledger when the supervisor died. A turn reports its prompt first (1), then its end (2). */
const MESSAGE: readonly [Fault, RegExp][] = [
  ['delivery:before-typed-row', /queued/],
  ['delivery:after-submitted-row', /submitted/],
  ['delivery:after-enter', /submitted/],
  ['delivery:before-acked-row', /submitted/],
  ['delivery:after-acked-row', /acked/],
  ['event:before-record', /submitted/],
  ['event:after-record', /submitted/],
  ['event:before-record@2', /acked/],
  ['event:after-record@2', /acked/],
];

/** llmc opens a new conversation first, which reports that it started (1) and that it is ready (2); meanwhile the prompt may be held. */
const SECOND_TASK: readonly [Fault, RegExp][] = [
  ['event:before-record', /queued|held/],
  ['event:after-record', /queued|held/],
  ['event:before-record@3', /submitted/],
  ['event:after-record@3', /submitted/],
];

describe.skipIf(program === undefined)('a supervisor killed while it delivers a prompt to the real Codex', () => {
  let opening: Promise<CodexWorld>;
  let world: CodexWorld;
  beforeAll(async () => {
    opening = codexWorld({ workers: ['adam', 'eve', 'seth'] });
    world = await opening;
    await world.ok('start', '--worker', 'adam', '--prompt', 'the first');
    await world.reaches('adam', 'needs_input');
    // Each supervisor would open a conversation without a prompt again, and its report would change the counts.
    for (const worker of ['eve', 'seth']) {
      commits(worker, `the first of ${worker}`);
      await world.ok('start', '--worker', worker, '--prompt', 'the first');
      await world.accepts(worker);
    }
  });
  // Runs also when the world took too long to open.
  afterAll(async () => (await opening)[Symbol.asyncDispose]());

  const commits = (worker: string, message: string) => {
    const cmd = `echo "${message}" >> notes.txt && git add notes.txt && git commit -qm "${message}"`;
    world.script(worker, { kind: 'tool', name: 'exec_command', input: { cmd } }, { kind: 'text', text: 'Done.' });
  };
  const givenOnce = async (worker: string, text: string, incarnation = 1) => {
    await world.until(`${worker} to be done`, () => world.deliveries(worker).every(({ state }) => state === 'done'));
    expect(world.received(worker).filter((one) => one.endsWith(text))).toHaveLength(1);
    expect(world.deliveries(worker).at(-1)).toMatchObject({ text: expect.stringContaining(text), state: 'done' });
    expect(world.incarnation(worker)).toBe(incarnation);
  };

  // test/crash kills at every point in each run, with the demo agent. This file kills once in each state of the ledger.
  const inEachRun = /^delivery:(before-typed-row|after-enter)$|^event:after-record@[23]$/;
  test.for(rowsOfThisRun(MESSAGE, ([fault]) => inEachRun.test(fault)))('at %s: a message is received once', async ([fault, state]) => {
    const doomed = await world.arm(fault);
    const text = `message sent into ${fault}`;
    // The answer waits for the acknowledgement, so that the two reports stay apart.
    const acked = () => world.deliveries('adam').some((row) => row.text === text && /acked|done/.test(row.state));
    const after = world.until('the acknowledgement', () => acked() || doomed === null || !isAlive(doomed));
    world.script('adam', { kind: 'text', text: 'OK.', after });
    await world.run(['message', 'adam', text]);
    await world.untilDead(doomed);
    expect(world.deliveries('adam').at(-1)).toMatchObject({ text, state: expect.stringMatching(state) });
    await world.up();
    await givenOnce('adam', text);
  });

  const opened = /^event:(before-record|after-record@3)$/;
  test.for(rowsOfThisRun(SECOND_TASK, ([fault]) => opened.test(fault)))(
    'at %s: the next task is received once, in an empty conversation',
    async ([fault, state]) => {
      const doomed = await world.arm(fault);
      const text = `task sent into ${fault}`;
      commits('eve', text);
      await world.run(['start', '--worker', 'eve', '--prompt', text]);
      await world.untilDead(doomed);
      expect(world.deliveries('eve').at(-1)).toMatchObject({ text: expect.stringContaining(text), state: expect.stringMatching(state) });
      await world.up();
      await world.accepts('eve');
      await givenOnce('eve', text);
      expect(JSON.stringify(world.api.requests('eve').at(-1)?.body.input).split('## Task')).toHaveLength(2);
    },
  );

  test('killed together with the agent in the middle of a turn: both come back, and the task is finished once', async () => {
    world.script('seth', { kind: 'stall', text: 'I begin' });
    commits('seth', 'after all');
    await world.ok('start', '--worker', 'seth', '--prompt', 'the long way');
    await world.until('the request', () => world.api.requests('seth').length === 3);
    await world.waitForRecord('the long way');
    const doomed = await world.supervisor();
    const agent = Number(await world.tmux('display-message', '-p', '-t', `=llmc-seth:=${SERVER_WINDOW}`, '#{pane_pid}'));
    for (const pid of [doomed, agent]) if (pid !== null) process.kill(pid, 'SIGKILL');
    await world.untilDead(doomed);
    await world.up();
    await world.reaches('seth', 'needs_review');
    expect(world.received('seth').slice(1)).toEqual([expect.stringMatching(/the long way$/), expect.stringContaining('is now resumed')]);
    expect(await world.gitIn(world.worktree('seth'), 'log', '--format=%s', 'origin/main..')).toBe('after all');
  });
});
