import { describe, expect, test } from 'vitest';
import { noonClock, type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import { localDay } from '../../base/local-day.ts';
import type { Worker } from '../../store/state.ts';
import { findDelivery, insertDelivery, nextDelivery, recentDeliveries, updateDelivery } from '../../store/tables/deliveries.ts';
import { listKeptDrafts, putDraft } from '../../store/tables/drafts.ts';
import { countUsage } from '../../store/tables/spending.ts';
import { findTask, listTaskReports, reportOutcome } from '../../store/tables/tasks.ts';
import { commitMove } from '../status/commit-move.ts';
import { followUp } from './follow-up.ts';
import { giveTask } from './give-task.ts';
import { nudgeAgent } from './nudge-agent.ts';
import { haltWorker, restWorker, wakeWorker } from './rest-worker.ts';
import { makeRunWorker } from './run-worker.ts';
import type { TaskRequest } from './task-request.ts';

const DEV = 'swarm-1-dev';
const TASK: TaskRequest = {
  id: 'a1',
  worker: DEV,
  base: null,
  conversation: 'fresh',
  worktree: 'reset',
  expects: { kind: 'commit' },
  prompt: 'Build it',
  session: '',
};

async function withDeveloper(interrupted: string[] = []): Promise<ScratchWork> {
  const work = await scratchWork({ agents: { interrupt: async (name) => void interrupted.push(name) } });
  await makeRunWorker(work.context, { name: DEV, run: 'swarm-1', role: 'dev', agent: 'demo' });
  return work;
}

/** As a supervisor does once the session runs. */
function comeUp({ context }: ScratchWork): void {
  commitMove(context, DEV, 'came_back', {
    why: 'its session runs',
    fields: { incarnation: 1, conversation_id: 'c-1', conversation_used: true },
  });
}

const finish = ({ context }: ScratchWork, fields: Partial<Worker> = {}) =>
  commitMove(context, DEV, 'finished', { why: 'the turn ended', fields });
const kinds = ({ context }: ScratchWork, task: string) => listTaskReports(context.store.database, task).map(({ outcome }) => outcome.kind);
const dev = ({ context }: ScratchWork) => context.store.worker(DEV);

describe('a task of a run', () => {
  test('wakes its worker, under its own id, and is given once', async () => {
    await using work = await withDeveloper();
    const { store } = work.context;
    const given = await giveTask(work.context, TASK);
    const main = await work.repo.run(['rev-parse', 'HEAD']);
    expect(given).toEqual({ now: true, base: main });
    expect(dev(work)).toMatchObject({
      status: 'offline',
      status_before_offline: 'working',
      current_prompt: 'Build it',
      expects: 'commit',
      base_commit: main,
      run: { resting: false, task: { id: 'a1', kind: 'work' } },
    });
    expect(findDelivery(store.database, 'a1')).toMatchObject({ worker: DEV, purpose: 'task', fresh_conversation: 1, state: 'queued' });
    expect(findTask(store.database, 'a1')).toMatchObject({ run: 'swarm-1', worker: DEV, kind: 'work', base: main });
    const { revision } = store.state;
    expect(await giveTask(work.context, { ...TASK, prompt: 'Something else' })).toEqual({ now: false, base: main });
    expect(store.state.revision).toBe(revision);
  });

  test.each([
    ['reset', 'ends the comments on the work before, which says so', []],
    ['keep', 'keeps the comments: the commits that they are about are part of the new work', ['one']],
  ] as const)('with its worktree %s, %s', async (worktree, _, left) => {
    await using work = await withDeveloper();
    const { store, clock } = work.context;
    await giveTask(work.context, TASK);
    const draft = { kind: 'comment', path: 'a.txt', side: 'new', from: 1, to: 1, quoted: 'a', text: 'Why a?' } as const;
    putDraft(store.database, { id: 'one', worker: DEV, draft }, clock.now());
    finish(work);
    await giveTask(work.context, { ...TASK, id: 'a2', worktree });
    expect(listKeptDrafts(store.database, DEV).map(({ id }) => id)).toEqual(left);
    const told = `${DEV}: 1 draft comment not sent: a.txt:1 Why a?`;
    expect(work.said.filter((line) => line === told)).toHaveLength(1 - left.length);
  });

  test('begins at the commit that it names, and saves what was left there', async () => {
    await using work = await withDeveloper();
    const { worktree_path } = dev(work);
    const commit = await work.repo.commit('Work of another', { 'a.txt': 'a' }, worktree_path);
    await work.repo.commit('Nobody kept this', { 'b.txt': 'b' }, worktree_path);
    expect(await giveTask(work.context, { ...TASK, base: commit })).toEqual({ now: true, base: commit });
    expect(await work.repo.run(['rev-parse', 'HEAD'], worktree_path)).toBe(commit);
    expect(work.said.filter((line) => line.includes('llmc rescue show'))).toHaveLength(1);
  });

  test('names the files that it leaves, and the place for them', async () => {
    await using work = await withDeveloper();
    await giveTask(work.context, { ...TASK, expects: { kind: 'files', files: ['findings.md', 'plan.yaml'] } });
    expect(dev(work).expects).toBe('artifact');
    expect(nextDelivery(work.context.store.database, DEV)?.text).toContain(
      'must be there: .llmc-task/out/findings.md, .llmc-task/out/plan.yaml.',
    );
  });

  test('that is resumed keeps the worktree, the base and the conversation, under another session name', async () => {
    await using work = await withDeveloper();
    const { base } = await giveTask(work.context, TASK);
    comeUp(work);
    const commit = await work.repo.commit('Half of it', { 'a.txt': 'a' }, dev(work).worktree_path);
    await work.repo.write('b.txt', 'not committed', dev(work).worktree_path);
    await work.repo.commit('Main moves on', { 'main.txt': 'm' });
    await giveTask(work.context, { ...TASK, id: 'a2', conversation: 'resume', worktree: 'keep', session: '-r2' });
    expect(dev(work)).toMatchObject({
      status: 'offline',
      session_id: `llmc-${DEV}-r2`,
      base_commit: base,
      commit_sha: commit,
      conversation_id: 'c-1',
      run: { session: '-r2', resting: false },
    });
    expect(await work.repo.run(['status', '--porcelain'], dev(work).worktree_path)).toBe('?? b.txt');
    expect(findDelivery(work.context.store.database, 'a2')).toMatchObject({ fresh_conversation: 0 });
    expect(findDelivery(work.context.store.database, 'a1')).toMatchObject({ state: 'failed', reason: { kind: 'other_task' } });
    expect(kinds(work, 'a1')).toEqual(['halted']);
  });

  test('of a reviewer that is resumed moves on to the commit it reads', async () => {
    await using work = await withDeveloper();
    const reads = { ...TASK, expects: { kind: 'files', files: ['verdict.yaml'] } } as const;
    const first = await work.repo.commit('Round 1', { 'a.txt': '1' }, dev(work).worktree_path);
    await giveTask(work.context, { ...reads, base: first });
    const next = await work.repo.run(['commit-tree', '-p', first, '-m', 'Round 2', `${first}^{tree}`], dev(work).worktree_path);
    expect(await giveTask(work.context, { ...reads, id: 'a2', base: next, conversation: 'resume' })).toEqual({ now: true, base: next });
    expect(await work.repo.run(['rev-parse', 'HEAD'], dev(work).worktree_path)).toBe(next);
  });

  test('goes to the living session of an idle worker, and to another agent in a new one', async () => {
    await using work = await withDeveloper();
    await giveTask(work.context, TASK);
    comeUp(work);
    finish(work);
    await giveTask(work.context, { ...TASK, id: 'a2' });
    expect(dev(work)).toMatchObject({ status: 'working', conversation_id: 'c-1' });
    finish(work);
    await giveTask(work.context, { ...TASK, id: 'a3', agent: 'claude', model: 'opus', session: '-claude' });
    expect(dev(work)).toMatchObject({ status: 'offline', conversation_id: null, run: { agent: 'claude', model: 'opus' } });
  });

  test('does not begin once the budget of the day is used up, and goes on if it had begun', async () => {
    await using work = await withDeveloper();
    await giveTask(work.context, TASK);
    const config = await work.context.config();
    const context = {
      ...work.context,
      clock: noonClock,
      config: async () => ({ ...config, budget: { ...config.budget, tokensPerDay: 1 } }),
    };
    countUsage(work.context.store.database, localDay(noonClock.now()), [{ conversation: 'c', tokens: 2, costUsd: 0 }]);
    await expect(giveTask(context, { ...TASK, id: 'a2' })).rejects.toMatchObject({ code: 'BUDGET_SPENT' });
    await giveTask(context, { ...TASK, id: 'a3', worktree: 'keep', conversation: 'resume' });
    expect(dev(work).run?.task?.id).toBe('a3');
  });

  test('is refused for a worker of a person, and under the session of another worker', async () => {
    await using work = await withDeveloper();
    await expect(giveTask(work.context, { ...TASK, worker: 'adam' })).rejects.toMatchObject({ code: 'WORKER_BUSY' });
    await makeRunWorker(work.context, { name: `${DEV}-claude`, run: 'swarm-1', role: 'dev-claude', agent: 'demo' });
    await expect(giveTask(work.context, { ...TASK, session: '-claude' })).rejects.toMatchObject({ code: 'SESSION_EXISTS' });
    expect(dev(work).run).toMatchObject({ resting: true, task: null });
  });
});

describe('a follow-up', () => {
  test('keeps the task open: the same base, the same result, and a report under its own id', async () => {
    await using work = await withDeveloper();
    const { base } = await giveTask(work.context, { ...TASK, expects: { kind: 'files', files: ['findings.md'] } });
    comeUp(work);
    finish(work);
    expect(dev(work)).toMatchObject({ status: 'idle', expects: 'commit' });
    expect(await followUp(work.context, { id: 'f1', worker: DEV, text: 'findings.md is missing' })).toBe(true);
    expect(await followUp(work.context, { id: 'f1', worker: DEV, text: 'findings.md is missing' })).toBe(false);
    expect(dev(work)).toMatchObject({ status: 'working', expects: 'artifact', base_commit: base, run: { task: { id: 'f1' } } });
    expect(findDelivery(work.context.store.database, 'f1')).toMatchObject({ purpose: 'message', text: 'findings.md is missing' });
    finish(work);
    expect(kinds(work, 'a1')).toEqual(['finished']);
    expect(kinds(work, 'f1')).toEqual(['finished']);
  });

  test('interrupts only if asked, and starts a resting worker', async () => {
    const interrupted: string[] = [];
    await using work = await withDeveloper(interrupted);
    await expect(followUp(work.context, { id: 'f0', worker: DEV, text: 'More' })).rejects.toMatchObject({ code: 'WORKER_BUSY' });
    await giveTask(work.context, TASK);
    comeUp(work);
    await followUp(work.context, { id: 'f1', worker: DEV, text: 'How far are you?' });
    expect(interrupted).toEqual([]);
    await followUp(work.context, { id: 'f2', worker: DEV, text: 'Save it now', interrupt: true });
    expect(interrupted).toEqual([DEV]);
    await restWorker(work.context, DEV);
    await followUp(work.context, { id: 'f3', worker: DEV, text: 'Go on' });
    expect(dev(work)).toMatchObject({ status: 'offline', status_before_offline: 'working', run: { resting: false, task: { id: 'f3' } } });
  });

  test('repeats the task to a worker whose conversation is lost', async () => {
    await using work = await withDeveloper();
    await giveTask(work.context, TASK);
    await followUp(work.context, { id: 'f1', worker: DEV, text: 'Make it faster' });
    const text = findDelivery(work.context.store.database, 'f1')?.text;
    expect(text).toMatch(/## Task\n\nBuild it\n\nMake it faster$/);
  });
});

describe('a question how far a task is', () => {
  const deliveries = ({ context }: ScratchWork) =>
    recentDeliveries(context.store.database, DEV, 9)
      .toReversed()
      .map(({ id, purpose, state, reason }) => [id, purpose, state, reason?.kind]);

  test('leaves the task what it is, and reports under its own id only that the agent has it', async () => {
    const interrupted: string[] = [];
    await using work = await withDeveloper(interrupted);
    await giveTask(work.context, TASK);
    comeUp(work);
    for (let time = 0; time < 2; time += 1) await nudgeAgent(work.context, { id: 'n1', worker: DEV, text: 'How far?' });
    expect(interrupted).toEqual([]);
    expect(dev(work)).toMatchObject({ status: 'working', current_prompt: 'Build it', run: { task: { id: 'a1' } } });
    expect(deliveries(work).at(-1)).toEqual(['n1', 'nudge', 'queued', undefined]);
    reportOutcome(work.context.store.database, 'n1', { kind: 'started' }, 5);
    finish(work);
    expect([kinds(work, 'n1'), kinds(work, 'a1')]).toEqual([['started'], ['finished']]);
  });

  test('takes the place of the one before, with an interrupt only while it waits', async () => {
    const interrupted: string[] = [];
    await using work = await withDeveloper(interrupted);
    await giveTask(work.context, TASK);
    comeUp(work);
    const second = { id: 'n2', worker: DEV, text: 'How far?', interrupt: true };
    await nudgeAgent(work.context, { id: 'n1', worker: DEV, text: 'How far?' });
    await nudgeAgent(work.context, second);
    expect(deliveries(work).slice(1)).toEqual([
      ['n1', 'nudge', 'failed', 'asked_again'],
      ['n2', 'nudge', 'queued', undefined],
    ]);
    expect(interrupted).toEqual([DEV]);
    updateDelivery(work.context.store.database, 'n2', { state: 'acked' });
    await nudgeAgent(work.context, second);
    expect(interrupted, 'the turn that answers it goes on').toEqual([DEV]);
  });

  test('is not asked once the turn is over', async () => {
    await using work = await withDeveloper();
    await giveTask(work.context, TASK);
    comeUp(work);
    finish(work);
    await nudgeAgent(work.context, { id: 'n1', worker: DEV, text: 'How far?' });
    expect(deliveries(work)).toHaveLength(1);
  });

  test('gives way to the request to save, which goes before every message that waits', async () => {
    await using work = await withDeveloper();
    const { database } = work.context.store;
    await giveTask(work.context, TASK);
    comeUp(work);
    updateDelivery(database, 'a1', { state: 'acked' });
    insertDelivery(database, { id: 'm1', worker: DEV, purpose: 'message', text: 'Hurry', fresh_conversation: 0, created_ms: 1 });
    await nudgeAgent(work.context, { id: 'n1', worker: DEV, text: 'How far?' });
    await followUp(work.context, { id: 's1', worker: DEV, text: 'Save', interrupt: true });
    expect(nextDelivery(database, DEV)?.id).toBe('s1');
    expect(findDelivery(database, 'n1')).toMatchObject({ state: 'failed', reason: { kind: 'told_to_save' } });
  });
});

describe('a worker that rests', () => {
  test('keeps worktree and conversation, and its open task counts as halted', async () => {
    const interrupted: string[] = [];
    await using work = await withDeveloper(interrupted);
    await giveTask(work.context, TASK);
    comeUp(work);
    await haltWorker(work.context, DEV);
    await haltWorker(work.context, DEV);
    expect(interrupted).toEqual([DEV]);
    expect(dev(work)).toMatchObject({ status: 'offline', status_before_offline: 'idle', conversation_id: 'c-1', run: { resting: true } });
    expect(kinds(work, 'a1')).toEqual(['halted']);
    await wakeWorker(work.context, DEV);
    expect(dev(work)).toMatchObject({ status: 'offline', run: { resting: false } });
    await expect(restWorker(work.context, 'adam')).rejects.toMatchObject({ code: 'WORKER_BUSY' });
  });

  test('after a finished task reports nothing more', async () => {
    await using work = await withDeveloper();
    await giveTask(work.context, TASK);
    comeUp(work);
    finish(work, { commit_sha: 'a'.repeat(40) });
    await restWorker(work.context, DEV);
    expect(listTaskReports(work.context.store.database, 'a1').map(({ outcome }) => outcome)).toEqual([
      { kind: 'finished', commit: 'a'.repeat(40), message: null },
    ]);
  });
});
