import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type ScratchStore, scratchStore } from '../../../test/support/scratch-store.ts';
import type { Store } from '../../store/store.ts';
import { aConfig, aWorker } from '../../workers/samples.ts';
import { builtInFolder } from '../library/built-in-folder.ts';
import { next } from '../next/next.ts';
import { POLICY } from '../next/samples.ts';
import { SqliteRecords } from '../store/sqlite-records.ts';
import { SqliteRuns } from '../store/sqlite-runs.ts';
import { Told } from '../view/told.fixture.ts';
import type { AnswerContext } from './answer-agent.ts';
import { abortRun, checkpointRun, decideRun, sendToRole } from './control-run.ts';
import { type StartRun, startRun } from './start-run.ts';

const SWARM = readFileSync(join(builtInFolder(), 'swarm.yaml'), 'utf8');
const request = { file: 'swarm.yaml', text: SWARM, name: 'swarm', inputs: { task: 'a clock' } };

/** Agents without a dialog. */
const agents: AnswerContext['agents'] = {
  restart: async () => undefined,
  resumeConversation: async () => false,
  keepWorktree: async () => undefined,

  interrupt: async () => undefined,
  progressAt: () => undefined,
  continuesByItself: () => false,
  whyNotAlone: async () => undefined,
  answer: async () => false,
};

let scratch: ScratchStore;
let store: Store;
let runs: SqliteRuns;

beforeEach(() => {
  scratch = scratchStore();
  store = scratch.open();
  runs = new SqliteRuns(store.database);
  return () => scratch[Symbol.dispose]();
});

/** Decides on the oldest event of each run, as the engine does. */
async function decide(): Promise<void> {
  for (const { run: id, ...one } of await runs.undecided()) {
    const run = await runs.load(id);
    if (run === undefined || !('event' in one)) throw new Error(`there is no ${id}`);
    const { event } = one;
    await runs.commit({ version: run.version, event: event.key, decision: next(run, event, POLICY), wakeAt: null, at: event.at });
  }
}

const random = { next: () => 0.5, id: randomUUID };

const context = (supervised: boolean): AnswerContext & { config: () => Promise<ReturnType<typeof aConfig>> } => ({
  store,
  random,
  supervised,
  signal: new AbortController().signal,
  config: async () => aConfig(),
  clock: { now: scratch.clock.now, sleep: decide },
  agents,
});

describe('a new run', () => {
  test('names the agents that cannot be started here, and begins all the same', async () => {
    vi.stubEnv('PATH', '/nowhere');
    const { warnings } = await startRun(context(true), request).finally(() => vi.unstubAllEnvs());
    expect(warnings).toContain('codex, the fallback of developer, is left out: codex is not on PATH.');
    expect(await runs.load('swarm-1')).toMatchObject({ status: 'running' });
  });

  test('gets the first free name, its plan and its first event', async () => {
    expect(await startRun(context(true), request)).toMatchObject({ run: 'swarm-1', workflow: 'swarm' });
    expect(await startRun(context(true), request)).toMatchObject({ run: 'swarm-2', workflow: 'swarm' });
    expect(await runs.load('swarm-1')).toMatchObject({ status: 'running', inputs: { task: 'a clock' }, plan: { name: 'swarm' } });
    await decide();
    expect((await runs.load('swarm-2'))?.steps.research?.state.kind).toBe('acting');
  });

  test.each<[string, Partial<StartRun>, string, string]>([
    [
      'a broken file',
      { text: SWARM.replace('role: researcher', 'role: reseacher') },
      'WORKFLOW_INVALID',
      'swarm.yaml has a problem, so nothing was started',
    ],
    ['a file under another name', { name: 'other' }, 'WORKFLOW_INVALID', 'swarm.yaml has a problem, so nothing was started'],
    ['inputs of another workflow', { inputs: { task: 3 } }, 'INVALID_ARGUMENT', 'the input "task" is missing or not a text'],
    [
      'a list of items with the same name',
      {
        name: 'all',
        text: 'name: all\nroles: { dev: {} }\ninputs: { list: { type: file } }\nstages:\n  - id: each\n    for_each: { of: inputs.list, key: id }\n    stages: [{ id: do, role: dev, prompt: Do it. }]\n',
        inputs: { list: [{ id: 'a' }, { id: 'a' }] },
      },
      'INVALID_ARGUMENT',
      'the items of each cannot be used, so nothing was started',
    ],
  ])('of %s is refused, and nothing is stored', async (_, changes, code, message) => {
    await expect(startRun(context(true), { ...request, ...changes })).rejects.toMatchObject({ code, message });
    expect(await runs.list()).toEqual([]);
  });

  test('names every problem with its place', async () => {
    const text = SWARM.replace('role: researcher', 'role: reseacher').replace('max_rounds: 3', 'max_rounds: many');
    const error = await startRun(context(true), { ...request, text }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      message: 'swarm.yaml has 2 problems, so nothing was started',
      details: expect.stringMatching(/^swarm\.yaml:\d+:\d+: .*did you mean "researcher"\?\nswarm\.yaml:\d+:\d+: .*max_rounds/),
    });
  });
});

describe('with a supervisor', () => {
  beforeEach(async () => {
    await startRun(context(true), request);
    await decide();
  });

  /** The researcher asks something. */
  async function ask(): Promise<void> {
    const action = (await new SqliteRecords(store.database).openTasks('swarm-1'))[0]?.id ?? '';
    const post = (key: string, what: Parameters<SqliteRuns['post']>[1]['what']) =>
      runs.post('swarm-1', { key, at: scratch.clock.now(), dice: 0, what });
    await post('started', { kind: 'started', action });
    await post('asked', { kind: 'asked', action, question: 'Which port?' });
    await decide();
    await decide();
  }

  test('an answer is taken at once, and no second one', async () => {
    await ask();
    const given = { run: 'swarm-1', option: 'answer', text: '8080' };
    expect(await decideRun(context(true), given)).toEqual({ run: 'swarm-1', number: 1, option: 'answer', taken: true });
    expect((await runs.load('swarm-1'))?.escalations).toMatchObject([{ answer: { option: 'answer', text: '8080' } }]);
    await expect(decideRun(context(true), { ...given, number: 1 })).rejects.toMatchObject({ code: 'ILLEGAL_TRANSITION' });
  });

  test('an answer closes the dialog that the agent has open, and is not a prompt behind it', async () => {
    await ask();
    store.commit({
      worker: null,
      kind: 'test',
      summary: 'its worker',
      state: (draft) => Object.assign(draft.workers, { 'swarm-1-researcher': aWorker({ name: 'swarm-1-researcher' }) }),
    });
    const answers: string[] = [];
    const answer = async (worker: string, choice: string) => {
      answers.push(`${worker}: ${choice}`);
      const action = (await runs.load('swarm-1'))?.steps.research?.state;
      if (action?.kind !== 'working') throw new Error('research does not work');
      await runs.post('swarm-1', { key: 'outcome', at: 1, dice: 0, what: { kind: 'answered', action: action.action } });
      return true;
    };
    const given = { run: 'swarm-1', option: 'answer', text: '8080' };
    expect(await decideRun({ ...context(true), agents: { ...agents, answer } }, given)).toMatchObject({ number: 1, taken: true });
    expect(answers).toEqual(['swarm-1-researcher: 8080']);
    expect(await runs.load('swarm-1')).toMatchObject({
      escalations: [{ answer: { option: 'answer', text: '8080', by: 'person' } }],
      steps: { research: { state: { kind: 'working' } } },
    });
  });

  test('a landing is not a question: the hint is the review', async () => {
    const run = await runs.load('swarm-1');
    if (run === undefined) throw new Error('there is no swarm-1');
    const told = new Told(run.plan).work('research').work('develop', 'c1').judge('review').reply('land', { kind: 'started' });
    await runs.create({ ...told.run, id: 'swarm-7' }, { key: 'begin', at: 1, dice: 0, what: { kind: 'tick' } });
    await expect(decideRun(context(true), { run: 'swarm-7', option: 'accept' })).rejects.toMatchObject({
      message: 'swarm-7 asks nothing; the work of swarm-7-developer waits for your review',
      hint: 'llmc review swarm-7-developer',
    });
  });

  test('an abort ends the run; a run that has ended takes nothing more', async () => {
    expect(await abortRun(context(true), { run: 'swarm-1', why: 'enough' })).toEqual({ run: 'swarm-1', taken: true });
    expect(await runs.load('swarm-1')).toMatchObject({ status: 'aborted', error: { message: 'enough' } });
    const refusal = { code: 'ILLEGAL_TRANSITION', message: 'swarm-1 was aborted: nothing more happens in it' };
    await expect(abortRun(context(true), { run: 'swarm-1', why: 'again' })).rejects.toMatchObject(refusal);
    await expect(sendToRole(context(true), { run: 'swarm-1', role: 'developer', text: 'Hello' })).rejects.toMatchObject(refusal);
  });

  test('a checkpoint is named', async () => {
    const made = await checkpointRun(context(true), { run: 'swarm-1', note: 'before lunch' });
    expect(made).toEqual({ run: 'swarm-1', taken: true, checkpoint: 'swarm-1.v2' });
    expect(await new SqliteRecords(store.database).checkpoints('swarm-1')).toMatchObject([{ type: 'manual', note: 'before lunch' }, {}]);
  });

  test('messages say who sent them', async () => {
    const send = async (from: string | undefined) =>
      await sendToRole(context(true), { run: 'swarm-1', role: 'developer', text: 'Hello', from });
    for (const from of [undefined, 'swarm-1-researcher', 'adam', 'person'])
      expect(await send(from)).toMatchObject({ role: 'developer', taken: true });
    const letters = (await runs.load('swarm-1'))?.roles.developer?.letters;
    expect(letters?.map(({ from }) => from)).toEqual(['person', 'researcher', 'adam', 'the worker person']);
  });

  test('a message that fills a book is refused', async () => {
    const send = sendToRole(context(true), { run: 'swarm-1', role: 'developer', text: 'x'.repeat(16_385), from: 'swarm-1-researcher' });
    await expect(send).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('16385 characters') });
  });

  test('an agent that sends without end fills neither the run nor its log of one message more', async () => {
    for (let number = 1; number <= 102; number += 1)
      await sendToRole(context(true), { run: 'swarm-1', role: 'developer', text: `${number}`, from: 'swarm-1-researcher' });
    expect((await runs.load('swarm-1'))?.roles.developer?.letters).toHaveLength(100);
    expect(await new SqliteRecords(store.database).errors('swarm-1')).toMatchObject([
      { code: 'ROUTING_FAILED', details: '101', message: expect.stringContaining('100 messages wait') },
      { code: 'ROUTING_FAILED', details: '102' },
    ]);
  });

  test('a message to an unknown role is refused, and kept', async () => {
    await expect(sendToRole(context(true), { run: 'swarm-1', role: 'boss', text: 'Hello' })).rejects.toMatchObject({
      code: 'ROUTING_FAILED',
      hint: 'Its roles are: researcher, developer, reviewer.',
    });
    expect(await new SqliteRecords(store.database).errors('swarm-1')).toMatchObject([{ code: 'ROUTING_FAILED', details: 'Hello' }]);
  });

  test('a run that does not exist is named, with the nearest one', async () => {
    await expect(abortRun(context(true), { run: 'swram-1', why: '' })).rejects.toMatchObject({
      code: 'RUN_NOT_FOUND',
      message: 'there is no run "swram-1"; did you mean "swarm-1"?',
    });
  });
});

test('without a supervisor what a person does is recorded, and takes effect later', async () => {
  await startRun(context(false), request);
  await decide();
  expect(await abortRun(context(false), { run: 'swarm-1', why: 'enough' })).toEqual({ run: 'swarm-1', taken: false });
  expect(await abortRun(context(false), { run: 'swarm-1', why: 'twice' })).toEqual({ run: 'swarm-1', taken: false });
  await decide();
  expect(await runs.load('swarm-1')).toMatchObject({ status: 'aborted', error: { message: 'enough' } });
});
