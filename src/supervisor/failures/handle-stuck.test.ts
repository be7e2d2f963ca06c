import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { until } from '../../../test/support/scratch-tmux.ts';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import { recentDeliveries } from '../../store/tables/deliveries.ts';
import { recentHistory } from '../../store/tables/history.ts';
import { systemClock } from '../../system/clock.ts';
import { screenFromText } from '../../terminal/screen.ts';
import { prepareDelivery } from '../../workers/prompt/enqueue.ts';
import { recallClocks, recordClocks } from '../clocks.ts';
import { Meter } from '../metering/meter.ts';
import { noteCapture } from '../observe/screen-watch.ts';
import { anAssessment, aPane, aReading, aTmuxWatch, aWatch, BUSY } from '../samples.ts';
import { handleStuck, recallStuck } from './handle-stuck.ts';

const MINUTE = 60_000;
const AT_WORK = { status: 'working', current_prompt: 'Build it' } as const;

/** A worker whose agent is a real process with this child, and a clock that the test moves. */
async function silentWorker(child: string) {
  const agent = spawn('sh', ['-c', `sh -c '${child}' & wait`], { stdio: 'ignore', detached: true });
  const time = { now: Date.now() };
  const interrupts: string[] = [];
  const work: ScratchWork = await scratchWork({
    worker: AT_WORK,
    context: { clock: { ...systemClock, now: () => time.now } },
    agents: { interrupt: async (name) => void interrupts.push(name) },
  });
  const { pid = 0 } = agent;
  const began = time.now;
  const watch = aWatch({ now: time.now, assessment: anAssessment(BUSY), tmux: aTmuxWatch(aPane({ pid }), { at: time.now }) });
  const meter = new Meter(work.context, new Map([['adam', watch]]));
  const childMs = async () => (await work.context.listProcesses()).find(({ parent }) => parent === pid)?.cpuMs;
  return {
    work,
    watch,
    interrupts,
    childMs,
    time,
    /** Lets this many minutes pass, with one sample and one pass every `step` minutes. */
    async pass(minutes: number, step = 1, each: () => Promise<void> = async () => undefined) {
      for (let minute = 0; minute < minutes; minute += step) {
        await each();
        time.now += step * MINUTE;
        watch.tmux = { ...watch.tmux, at: time.now };
        await meter.sample();
        await handleStuck(work.context, watch, await work.context.config());
      }
    },
    /** The supervisor was killed, and the next one finds the agent after this many minutes. */
    async restart(minutesAway = 0) {
      recordClocks(work.context, [watch]);
      time.now += minutesAway * MINUTE;
      const { now } = time;
      watch.tmux = { ...watch.tmux, at: now };
      Object.assign(watch, aWatch({ now, assessment: watch.assessment, tmux: watch.tmux }));
      watch.life = { ...watch.life, launchedAt: began };
      recallClocks(work.context, watch);
      recallStuck(work.context, watch, await work.context.config());
    },
    stuck: () => recentHistory(work.context.store.database, 'adam', 20).flatMap(({ kind, summary }) => (kind === 'stuck' ? [summary] : [])),
    async [Symbol.asyncDispose]() {
      process.kill(-pid, 'SIGKILL');
      await work[Symbol.asyncDispose]();
    },
  };
}

test('a build that is silent for 40 minutes and uses the processor is not asked for its status', async () => {
  await using at = await silentWorker('while :; do :; done');
  await until('the build to begin', async () => (await at.childMs()) !== undefined);
  await at.pass(40, 4, async () => {
    const before = (await at.childMs()) ?? 0;
    await until('the build to have worked', async () => ((await at.childMs()) ?? 0) >= before + 60);
  });
  expect(at.stuck()).toEqual([]);
  expect(at.interrupts).toEqual([]);
});

test('an agent whose tool hangs is asked twice, checked, and then a person is called', async () => {
  await using at = await silentWorker('exec sleep 3600');
  await at.pass(29);
  expect(at.stuck()).toEqual([]);
  await at.pass(1);
  expect(at.stuck()).toEqual(['first status check: it shows no progress']);
  expect(at.interrupts).toEqual(['adam']);
  const { database } = at.work.context.store;
  expect(recentDeliveries(database, 'adam', 5)).toMatchObject([
    { purpose: 'nudge', state: 'queued', text: expect.stringContaining('30 minutes') },
  ]);
  await at.pass(5);
  expect(at.stuck()[0]).toBe('checked for an answer: no answer and no commit');
  await at.pass(5);
  expect(at.stuck()[0]).toBe('second status check: it has not answered the first question; the first one still waits');
  expect(at.interrupts).toEqual(['adam', 'adam']);
  await at.pass(5);
  const worker = at.work.context.store.worker('adam');
  expect(worker).toMatchObject({ status: 'needs_input', attention: { kind: 'stuck', quiet_ms: 45 * MINUTE } });
  expect(recentDeliveries(database, 'adam', 5)).toMatchObject([{ purpose: 'nudge', state: 'failed', reason: { kind: 'person_called' } }]);
  await at.pass(60);
  expect(at.interrupts).toHaveLength(2);
});

test('an agent that has committed and does not end its turn is reviewed', async () => {
  await using at = await silentWorker('exec sleep 3600');
  await at.work.repo.commit('Work', { 'a.txt': 'a\n' }, at.work.worktree);
  await at.pass(35);
  expect(at.work.context.store.worker('adam')).toMatchObject({ status: 'needs_review', attention: { kind: 'review' } });
});

test('an agent that has committed and hangs, with a message that waits, is not reviewed in every pass: a person is called', async () => {
  await using at = await silentWorker('exec sleep 3600');
  const { context } = at.work;
  const message = prepareDelivery(context, { worker: 'adam', purpose: 'message', text: 'And the tests?', freshConversation: false });
  context.store.commit({ worker: 'adam', kind: 'delivery', summary: 'a message', rows: message.write });
  await at.work.repo.commit('Work', { 'a.txt': 'a\n' }, at.work.worktree);
  await at.pass(45);
  expect(context.store.worker('adam')).toMatchObject({ status: 'needs_input', attention: { kind: 'stuck', quiet_ms: 45 * MINUTE } });
  expect(recentDeliveries(context.store.database, 'adam', 5)).toContainEqual(expect.objectContaining({ id: message.id, state: 'queued' }));
  const lines = at.stuck();
  await at.pass(3);
  expect(at.stuck()).toEqual(lines);
});

test('an agent that was suspended with the machine in the middle of a step is observed before it is asked', async () => {
  await using at = await silentWorker('exec sleep 3600');
  at.time.now += 8 * 60 * MINUTE;
  expect(await handleStuck(at.work.context, at.watch, await at.work.context.config())).toBe(false);
  expect(at.stuck()).toEqual([]);
});

test('a worker with its own times, and one with none', async () => {
  await using at = await silentWorker('exec sleep 3600');
  const config = await at.work.context.config();
  const own = (stuckSecs: number[]) => ({ ...config, workers: { adam: { ...config.workers['adam'], stuckSecs } } });
  const now = at.work.context.clock.now();
  at.watch.screen = { ...at.watch.screen, changedAt: now - 11_000 };
  at.watch.life = { ...at.watch.life, launchedAt: now - 11_000 };
  expect(await handleStuck(at.work.context, at.watch, own([]))).toBe(false);
  expect(await handleStuck(at.work.context, at.watch, own([12, 13, 14, 15]))).toBe(false);
  expect(await handleStuck(at.work.context, at.watch, own([11, 12, 13, 14]))).toBe(true);
});

test('a supervisor that is killed while the agent is silent goes on counting, without the time in which nobody watched', async () => {
  await using at = await silentWorker('exec sleep 3600');
  const shown = { screen: screenFromText('Building the clock'), reading: aReading(BUSY) };
  noteCapture(at.watch, shown, at.time.now);
  await at.pass(27);
  await at.restart(5 * 60);
  noteCapture(at.watch, shown, at.time.now);
  await at.pass(2);
  expect(at.stuck()).toEqual([]);
  await at.pass(1);
  expect(at.stuck()).toEqual(['first status check: it shows no progress']);
});

test('a supervisor that is killed between the rungs goes on at the rung that it had reached', async () => {
  await using at = await silentWorker('exec sleep 3600');
  await at.pass(33);
  await at.restart();
  await at.pass(2);
  expect(at.stuck()).toEqual(['checked for an answer: no answer and no commit', 'first status check: it shows no progress']);
  await at.restart();
  await at.pass(5);
  expect(at.stuck()[0]).toMatch(/^second status check/);
  // Nobody watched for hours: the person is called after a moment, not at once.
  at.time.now += 5 * 60 * MINUTE;
  await at.restart();
  expect(await handleStuck(at.work.context, at.watch, await at.work.context.config())).toBe(false);
  await at.pass(2);
  expect(at.work.context.store.worker('adam')).toMatchObject({ status: 'needs_input', attention: { kind: 'stuck' } });
  await at.restart();
  expect(at.watch.stuck, 'the ladder is over').toBeUndefined();
});

test('a new supervisor does not go on with the ladder of an agent that reported since, or of an earlier one', async () => {
  await using at = await silentWorker('exec sleep 3600');
  await at.pass(31);
  await at.restart();
  expect(at.watch.stuck).toMatchObject({ rungs: 1 });
  at.watch.life = { ...at.watch.life, incarnation: 2 };
  at.watch.stuck = undefined;
  recallStuck(at.work.context, at.watch, await at.work.context.config());
  expect(at.watch.stuck).toBeUndefined();
  at.watch.life = { ...at.watch.life, incarnation: 1 };
  at.watch.reported = { ...at.watch.reported, at: at.time.now + 2 * MINUTE };
  recallStuck(at.work.context, at.watch, await at.work.context.config());
  expect(at.watch.stuck).toBeUndefined();
});
