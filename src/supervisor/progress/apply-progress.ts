import type { Assessment } from '../../agents/activity.ts';
import type { Agent } from '../../agents/agent.ts';
import { describeError } from '../../base/error.ts';
import type { Instant } from '../../base/ports.ts';
import { findRefusal } from '../../base/refusal.ts';
import type { Config } from '../../config/schema.ts';
import { exchange } from '../../git/exchange/exchange.ts';
import { commitsAhead, mergeBase, readStatus } from '../../git/inspect.ts';
import { readWorkRange, type WorkRange } from '../../git/rebase/former-main.ts';
import { trackingRef } from '../../git/refs.ts';
import { type GitCall, outside, read } from '../../git/run.ts';
import { countAltered, countLost, isWhole, judgeProof } from '../../proof/verdict.ts';
import type { Database } from '../../store/database.ts';
import type { Worker } from '../../store/state.ts';
import { insertAnswer, type NewAnswer } from '../../store/tables/answers.ts';
import { ackedDeliveries, nextDelivery, updateDelivery } from '../../store/tables/deliveries.ts';
import type { Outcome } from '../../store/tables/tasks.ts';
import { loadAgent, type WorkContext } from '../../workers/context.ts';
import { collectFormerMains } from '../../workers/landing/former-mains.ts';
import { mainBranch } from '../../workers/landing/main-branch.ts';
import { rescueOfBefore, standingProof } from '../../workers/review/standing-proof.ts';
import { commitMove } from '../../workers/status/commit-move.ts';
import { openTask } from '../../workers/tasks/owner.ts';
import { lastProgressAt, type Watch } from '../observe/watch.ts';
import { type BranchFacts, decideProgress, type ProgressDecision, type ProgressView } from './decide-progress.ts';
import { LONGEST_SUMMARY, saidIn, turnSummary } from './turn-summary.ts';

/** Moves the worker to the status that its agent's activity leads to. Returns true when it moved. */
export async function applyProgress(context: WorkContext, watch: Watch, assessment: Assessment, config: Config): Promise<boolean> {
  const { store } = context;
  const now = context.clock.now();
  const agent = loadAgent(config, context.store.worker(watch.name).agent);
  let view = viewProgress(context, watch, assessment);
  let decision = decideProgress(view, now);
  if (decision.kind === 'ask_git') {
    const branch = await branchFacts(context, view.worker, await mainBranch(context, config));
    view = { ...view, branch, said: saidIn(watch.reported, view.acked, await shownLines(context, view.worker, agent)) };
    decision = decideProgress(view, now);
  }
  if (assessment.activity.kind === 'ready') watch.progress = { handledTurn: watch.reported.lastTurn?.seq ?? watch.progress.handledTurn };
  if (decision.kind === 'settle') {
    const rows = (database: Database) => endTurn(database, watch.name, now);
    store.commit({ worker: watch.name, kind: 'delivery', summary: decision.why, rows });
  }
  if (decision.kind !== 'move') return false;
  const told = isWorthKeeping(decision) ? withSummary(decision, watch, view) : decision;
  const proven = told.event === 'committed' ? await withProof(context, told, watch.name, config) : told;
  const answer = hasAnswer(decision, view) ? makeAnswer(context, watch, view) : undefined;
  moveOn(context, watch.name, proven, { outcome: forRun(decision, watch, view), answer });
  return true;
}

/** What a person reads when they look at the end of the turn. */
function isWorthKeeping({ event, fields: { attention } }: Moving): boolean {
  if (event === 'committed' || event === 'gave_answer') return true;
  return event === 'stopped' && ['no_commit', 'commit_unchanged', 'off_branch'].includes(attention?.kind ?? '');
}

/** A commit is worth a review, whatever was asked for; the answer goes with it. */
function hasAnswer({ event }: Moving, { worker, said }: ProgressView): boolean {
  return event === 'gave_answer' || (event === 'committed' && worker.expects === 'answer' && said !== undefined);
}

/** As much as a person reads. The echo of a long prompt is a part of it. */
const MOST_LINES = 1_000;

/** What the terminal shows of an answer that the agent may not report. A program that has ended may have left it after the last pass. */
async function shownLines({ terminal }: WorkContext, worker: Worker, { saysOnScreen }: Agent): Promise<readonly string[]> {
  if (saysOnScreen !== true || worker.expects !== 'answer') return [];
  return (await terminal.lastOutput(worker.session_id, MOST_LINES)) ?? [];
}

function makeAnswer({ random, clock }: WorkContext, watch: Watch, { worker, said }: ProgressView): NewAnswer | undefined {
  return said && { ...said, id: random.id(), worker: watch.name, task: worker.current_prompt, given_ms: clock.now() };
}

function viewProgress({ store, clock }: WorkContext, watch: Watch, assessment: Assessment): ProgressView {
  const { name } = watch;
  const now = clock.now();
  const worker = store.worker(name);
  const acked = ackedDeliveries(store.database, name);
  const summary = turnSummary(watch.reported, acked);
  return {
    worker,
    said: undefined,
    saidMore: summary !== null && summary !== worker.summary,
    assessment,
    undelivered: nextDelivery(store.database, name) === undefined ? 0 : 1,
    acked,
    screen: shownBy(watch, assessment, now),
    unhandledTurn: (watch.reported.lastTurn?.seq ?? 0) > watch.progress.handledTurn,
    branch: undefined,
    progressAt: lastProgressAt(watch),
  };
}

/** On the protocol channel the agent's own status takes the place of the screen. So do the end of a process, and a commit that stands for long. */
export function shownBy({ protocol, screen: { capture } }: Watch, assessment: Assessment, at: Instant): ProgressView['screen'] {
  const { source, activity, since } = assessment;
  const byOther = source === 'process' || (source === 'timing' && activity.kind === 'ready');
  if (protocol !== undefined || byOther) return { kind: activity.kind, since, at };
  return capture && { kind: capture.reading.activity.kind, since: capture.since, at: capture.at };
}

type Moving = Extract<ProgressDecision, { kind: 'move' }>;

/** Keeps the agent's last message for the review, because events are deleted after a few restarts. */
function withSummary(moving: Moving, { reported }: Watch, { acked }: ProgressView): Moving {
  return { ...moving, fields: { ...moving.fields, summary: turnSummary(reported, acked) } };
}

/** Longer than any answer that a person would read; the row is written once. */
const LONGEST_MESSAGE = 200_000;

/** What its run is told about a turn that is over: the whole message, because it may be the result. */
function forRun({ event, fields, why }: Moving, { reported }: Watch, { worker, acked }: ProgressView): Outcome | undefined {
  if (openTask(worker) === undefined) return undefined;
  const message = turnSummary(reported, acked, LONGEST_MESSAGE);
  if (event === 'finished') return { kind: 'finished', commit: fields.commit_sha ?? null, message };
  const isOver = fields.attention?.kind === 'no_commit' || fields.attention?.kind === 'off_branch';
  return event === 'stopped' && isOver ? { kind: 'stopped', why, message } : undefined;
}

/** A commit on top of a resolved conflict may lose what the resolution kept, or still lack what it lost. */
async function withProof(context: WorkContext, moving: Moving, name: string, config: Config): Promise<Moving> {
  const { commit_sha: head, attention } = moving.fields;
  const worker = context.store.worker(name);
  if (worker.resolution === null || head === undefined || head === null) return moving;
  // The review and the accept prove it too; the end of the turn must not wait for a repository that git cannot read.
  const proof = await standingProof(context, worker, head).catch((error: unknown) =>
    context.say(`${name}: its resolved conflict could not be proven again: ${describeError(error)}`),
  );
  if (proof === undefined || judgeProof(proof) === 'clean') return moving;
  const rescue = rescueOfBefore(context, worker, !isWhole(proof));
  const uncommitted = attention?.kind === 'review' && attention.uncommitted;
  return {
    ...moving,
    fields: {
      ...moving.fields,
      attention: {
        kind: 'resolved',
        branch: await mainBranch(context, config),
        uncommitted,
        lost: countLost(proof),
        altered: countAltered(proof),
        ...(rescue !== undefined && { rescue }),
      },
    },
  };
}

interface Besides {
  readonly outcome: Outcome | undefined;
  readonly answer: NewAnswer | undefined;
}

function moveOn(context: WorkContext, name: string, { event, why, fields, turnOver }: Moving, { outcome, answer }: Besides): void {
  commitMove(context, name, event, {
    why,
    ...(outcome && { outcome }),
    // The row of failed turns ends with a turn that ends well, and with a person who is called.
    fields: {
      ...fields,
      ...(turnOver && { failed_turn: null }),
      ...(answer && { answer: answer.id, summary: answer.text.slice(0, LONGEST_SUMMARY) }),
    },
    rows: (database) => {
      if (answer !== undefined) insertAnswer(database, answer);
      if (turnOver) endTurn(database, name, context.clock.now());
    },
  });
}

function endTurn(database: Database, worker: string, now: Instant): void {
  for (const row of ackedDeliveries(database, worker)) updateDelivery(database, row.id, { state: 'done', done_ms: now });
}

/**
 * Starts two processes, not one per fact, and two more if there are commits: Node does nothing else while it starts one, and the end of
 * a turn waits for this.
 */
export async function branchFacts(context: WorkContext, worker: Worker, branch: string): Promise<BranchFacts> {
  const { worktree_path: worktree, base_commit } = worker;
  const git = outside(context.git);
  const tracking = trackingRef(branch);
  const off = { kind: 'off_branch', branch } as const;
  // In a run, what counts is what the worker has on top of the commit that its stage begins at.
  const range = async (): Promise<{ count: number; upstreams: WorkRange['upstreams'] }> => {
    if (openTask(worker) !== undefined && base_commit !== null)
      return { count: await commitsAhead(git, worktree, base_commit), upstreams: [base_commit, tracking] };
    const { own, upstreams } = await readWorkRange(git, worktree, tracking, 'HEAD', collectFormerMains(context, worker, branch));
    return { count: own.length, upstreams };
  };
  try {
    await exchange(context.git, context.layout.root, worktree);
    // The range cannot be read on a branch without a commit.
    const [{ head, changes }, early] = await Promise.all([readStatus(context.git, worktree), range().catch(() => undefined)]);
    const changed = changes.map(({ path }) => path);
    if (head === undefined) return { head: '', ahead: 0, changed, offBranch: { ...off, why: 'unborn' } };
    const { count, upstreams } = early ?? (await range());
    if (count === 0 || (await mergeBase(git, worktree, head, ...upstreams)) !== undefined) return { head, ahead: count, changed };
    return { head, ahead: 0, changed, offBranch: { ...off, why: 'unrelated' } };
  } catch (error) {
    if (findRefusal(error) !== undefined || (await isReadable(context, worktree))) throw error;
    return { head: '', ahead: 0, changed: [], offBranch: { ...off, why: 'unreadable', problem: describeError(error) } };
  }
}

const headCall = (worktree: string): GitCall => read(worktree, 'rev-parse', '--quiet', '--verify', 'HEAD^{commit}');
const indexCall = (worktree: string): GitCall => read(worktree, 'ls-files', '--error-unmatch', '--', ':(top,literal).git');

/** Whether git can read HEAD and index: then an error is about something else, which may be over in the next pass. */
async function isReadable({ git }: WorkContext, worktree: string): Promise<boolean> {
  const [head, index] = await Promise.all([git.run(headCall(worktree)), git.run(indexCall(worktree))]).catch(() => []);
  // 1: the index has no such path.
  return head?.status === 0 && (index?.status ?? 128) <= 1;
}
