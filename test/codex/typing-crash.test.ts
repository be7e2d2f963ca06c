import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FaultPoint } from '../../src/base/fault.ts';
import { PATIENT } from '../support/agent-world.ts';
import { type CodexWorld, codexWorld, program } from './llmc-world.ts';
import type { Step } from './responses-steps.ts';

type Fault = FaultPoint | `${FaultPoint}@${number}`;

/** The state of the prompt in the ledger when the supervisor died. */
const MESSAGE: readonly [Fault, string][] = [
  ['delivery:after-typed-row', 'typed'],
  ['delivery:after-paste', 'typed'],
  ['delivery:after-submitted-row', 'submitted'],
  ['delivery:after-enter', 'submitted'],
  ['delivery:before-acked-row', 'submitted'],
  ['event:before-record', 'submitted'],
];

/** Codex reports the new conversation only with its first prompt: until then the terminal's title alone shows that it was cleared. */
const SECOND_TASK: readonly [Fault, string][] = [
  ['delivery:after-clear-paste', 'queued'],
  ['delivery:after-clear-enter', 'queued'],
  ['delivery:after-enter', 'submitted'],
];

describe.skipIf(program === undefined)('a supervisor killed while it types a prompt to the real Codex', () => {
  let opening: Promise<CodexWorld>;
  let world: CodexWorld;
  beforeAll(async () => {
    opening = codexWorld({ workers: ['adam', 'eve'], channel: 'typing', config: PATIENT });
    world = await opening;
    await world.ok('start', '--worker', 'adam', '--prompt', 'the first');
    await world.reaches('adam', 'needs_input');
    commits('eve', 'the first');
    await world.ok('start', '--worker', 'eve', '--prompt', 'the first');
    await world.accepts('eve');
  });
  // Runs also when the world took too long to open.
  afterAll(async () => (await opening)[Symbol.asyncDispose]());

  const commits = (worker: string, message: string) => {
    const cmd = `echo "${message}" >> notes.txt && git add notes.txt && git commit -qm "${message}"`;
    const step: Step = { kind: 'tool', name: 'exec_command', input: { cmd } };
    world.script(worker, step, { kind: 'text', text: 'Done.' });
  };
  const givenOnce = async (worker: string, text: string) => {
    await world.until(`${worker} to be done`, () => world.deliveries(worker).every(({ state }) => state === 'done'));
    expect(world.received(worker).filter((one) => one.endsWith(text))).toHaveLength(1);
    expect(world.incarnation(worker)).toBe(1);
  };

  test.for(MESSAGE)('at %s: a message is received once', async ([fault, state]) => {
    const doomed = await world.arm(fault);
    const text = `message sent into ${fault}`;
    await world.run(['message', 'adam', text]);
    await world.untilDead(doomed);
    expect(world.deliveries('adam').at(-1)).toMatchObject({ text, state });
    await world.up();
    await givenOnce('adam', text);
  });

  test.for(SECOND_TASK)('at %s: the next task is received once, in an empty conversation', async ([fault, state]) => {
    const doomed = await world.arm(fault);
    const text = `task sent into ${fault}`;
    commits('eve', text);
    await world.run(['start', '--worker', 'eve', '--prompt', text]);
    await world.untilDead(doomed);
    expect(world.deliveries('eve').at(-1)).toMatchObject({ text: expect.stringContaining(text), state });
    await world.up();
    await world.accepts('eve');
    await givenOnce('eve', text);
    expect(JSON.stringify(world.api.requests('eve').at(-1)?.body).split('## Task')).toHaveLength(2);
  });
});
