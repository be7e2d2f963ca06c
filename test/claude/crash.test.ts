import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAULT_POINTS, type FaultPoint } from '../../src/base/fault.ts';
import { PATIENT } from '../support/agent-world.ts';
import { rowsOfThisRun } from '../support/full-run.ts';
import { isAlive } from '../support/scratch-tmux.ts';
import { type ClaudeWorld, claudeWorld, program } from './llmc-world.ts';

type Fault = FaultPoint | `${FaultPoint}@${number}`;

/** The state of the prompt in the ledger when the supervisor died. Claude Code reports the prompt first (1), then the end of its turn (2). */
const MESSAGE: readonly [Fault, string][] = [
  ['delivery:before-typed-row', 'queued'],
  ['delivery:after-typed-row', 'typed'],
  ['delivery:after-paste', 'typed'],
  ['delivery:after-submitted-row', 'submitted'],
  ['delivery:after-enter', 'submitted'],
  ['delivery:before-acked-row', 'submitted'],
  ['delivery:after-acked-row', 'acked'],
  ['event:before-record', 'submitted'],
  ['event:after-record', 'submitted'],
  ['event:before-record@2', 'acked'],
  ['event:after-record@2', 'acked'],
];

/** llmc clears the conversation first, which ends one session (1) and starts another (2). */
const SECOND_TASK: readonly [Fault, string][] = [
  ['delivery:after-clear-paste', 'queued'],
  ['delivery:after-clear-enter', 'queued'],
  ['event:before-record', 'queued'],
  ['event:after-record@2', 'queued'],
];

describe.skipIf(program === undefined)('a supervisor killed while it delivers a prompt to the real Claude Code', () => {
  let opening: Promise<ClaudeWorld>;
  let world: ClaudeWorld;
  let born: ReadonlyMap<string, number>;
  beforeAll(async () => {
    // The fault points count the reports of this worker alone, and the expected states depend on that count.
    opening = claudeWorld({ workers: ['adam', 'eve'], quiet: true, config: PATIENT });
    world = await opening;
    await world.ok('start', '--worker', 'adam', '--prompt', 'the first');
    await world.reaches('adam', 'needs_input');
    commits('eve', 'the first');
    await world.ok('start', '--worker', 'eve', '--prompt', 'the first');
    await world.accepts('eve');
    // A Claude Code may end at its trust dialog, and starts again.
    born = new Map(['adam', 'eve'].map((worker) => [worker, world.incarnation(worker)]));
  });
  // Runs also when the world took too long to open.
  afterAll(async () => (await opening)[Symbol.asyncDispose]());

  const commits = (worker: string, message: string) => {
    const command = `echo "${message}" >> notes.txt && git add notes.txt && git commit -qm "${message}"`;
    world.script(worker, { kind: 'tool', name: 'Bash', input: { command, description: 'Work' } }, { kind: 'text', text: 'Done.' });
  };
  const givenOnce = async (worker: string, text: string) => {
    await world.until(`${worker} to be done`, () => world.deliveries(worker).every(({ state }) => state === 'done'));
    expect(world.received(worker).filter((one) => one.endsWith(text))).toHaveLength(1);
    expect(world.deliveries(worker).at(-1)).toMatchObject({ text: expect.stringContaining(text), state: 'done' });
    expect(world.incarnation(worker), await world.story(worker)).toBe(born.get(worker));
  };

  test('the rows include every fault point of a delivery', () => {
    const named = [...MESSAGE, ...SECOND_TASK].map(([fault]) => fault.replace(/@.*/, ''));
    expect(FAULT_POINTS.filter((point) => /^(delivery|event):/.test(point) && !named.includes(point))).toEqual([]);
  });

  // test/crash kills at every point in each run, with the demo agent. This file kills where the real program can tell two points apart.
  const inEachRun = /^delivery:after-(paste|enter|clear-enter)$|^event:after-record@2$/;
  test.for(rowsOfThisRun(MESSAGE, ([fault]) => inEachRun.test(fault)))('at %s: a message is received once', async ([fault, state]) => {
    const doomed = await world.arm(fault);
    const text = `message sent into ${fault}`;
    // The answer waits for the acknowledgement, so that the two reports stay apart.
    const acked = () => world.deliveries('adam').some((row) => row.text === text && /acked|done/.test(row.state));
    const after = world.until('the acknowledgement', () => acked() || doomed === null || !isAlive(doomed));
    world.script('adam', { kind: 'text', text: 'OK.', after });
    await world.run(['message', 'adam', text]);
    await world.untilDead(doomed);
    expect(world.deliveries('adam').at(-1)).toMatchObject({ text, state });
    await world.up();
    await givenOnce('adam', text);
  });

  // The demo agent in test/crash/taken.test.ts is killed at each of them in every run. A text that was not pasted is missed only after
  // half a minute, so the one in each run is a text that was: a wrong acknowledgement would lose that too.
  const between: readonly [Fault, string][] = [
    ['delivery:after-paste@2', 'typed'],
    ['delivery:after-typed-row@2', 'typed'],
    ['delivery:after-submitted-row@2', 'submitted'],
  ];
  test.for(rowsOfThisRun(between, ([fault]) => fault === 'delivery:after-paste@2'))(
    'at %s: the same words sent twice are received twice',
    async ([fault, state]) => {
      const doomed = await world.arm(fault);
      const text = `the same words into ${fault}`;
      await world.ok('message', 'adam', text);
      await world.run(['message', 'adam', text]);
      await world.untilDead(doomed);
      expect(world.deliveries('adam').at(-1)).toMatchObject({ text, state });
      await world.up();
      await world.until('adam to be done', () => world.deliveries('adam').every((row) => row.state === 'done'));
      expect(world.received('adam').filter((one) => one === text)).toHaveLength(2);
    },
  );

  test.for(rowsOfThisRun(SECOND_TASK, ([fault]) => inEachRun.test(fault)))(
    'at %s: the next task is received once, in an empty conversation',
    async ([fault, state]) => {
      const doomed = await world.arm(fault);
      const text = `task sent into ${fault}`;
      commits('eve', text);
      await world.run(['start', '--worker', 'eve', '--prompt', text]);
      await world.untilDead(doomed);
      expect(world.deliveries('eve').at(-1)).toMatchObject({
        text: expect.stringContaining(text),
        // The prompt may be held while the conversation is being cleared.
        state: state === 'queued' ? expect.stringMatching(/^(?:queued|held)$/) : state,
      });
      await world.up();
      await world.accepts('eve');
      await givenOnce('eve', text);
      expect(JSON.stringify(world.requests('eve').at(-1)?.body.messages).split('## Task')).toHaveLength(2);
    },
  );
});
