import { spawnSync } from 'node:child_process';
import { LlmcError } from '../../src/base/error.ts';
import { type ConflictFacts, readConflict } from '../../src/git/rebase/conflict-facts.ts';
import type { Worker } from '../../src/store/state.ts';
import { nextDelivery, updateDelivery } from '../../src/store/tables/deliveries.ts';
import { lastResolution, openResolution, type Resolution } from '../../src/store/tables/resolutions.ts';
import { acceptWork } from '../../src/workers/accept-work.ts';
import { refreshReviews } from '../../src/workers/landing/refresh-pending-reviews.ts';
import { advanceResolution } from '../../src/workers/rebase/advance-resolution.ts';
import { rebaseWork } from '../../src/workers/rebase/rebase-work.ts';
import { resolver } from '../../src/workers/rebase/resolve-conflict.ts';
import { reviewWork } from '../../src/workers/review-work.ts';
import { commitStep, put } from '../support/conflicting.ts';
import { type ScratchWork, scratchWork } from '../support/scratch-work.ts';
import type { Act, Scenario, Turn } from './scenario.ts';
import { checkoutOf, OWN_FILES, prepare, shell, situate } from './situation.ts';
import { type Picture, pictureOf } from './untouched.ts';

/** What became of a scenario. */
export interface Performed {
  readonly work: ScratchWork;
  /** The worker's commit, and main, before the command. */
  readonly head: string;
  readonly onto: string;
  readonly facts: ConflictFacts | undefined;
  readonly prompts: readonly string[];
  readonly resolution: Resolution | undefined;
  readonly worker: Worker;
  /** The error of the last command. */
  readonly refusal: LlmcError | undefined;
  readonly accepted: { readonly how: string; readonly commit: string | null } | undefined;
  /** The user's files at the beginning, before the last accept, and at the end. */
  readonly pictures: { readonly before: Picture; readonly resolved: Picture; readonly after: Picture };
}

const REVIEWED = { status: 'needs_review', current_prompt: 'Change the files' } as const;

export function makeWork({ situation = 'clean', base = {}, begin, config = '' }: Scenario): Promise<ScratchWork> {
  return scratchWork({
    repo: config,
    worker: REVIEWED,
    context: { supervised: true },
    scratch: { files: OWN_FILES, bare: situation === 'bare' },
    prepare: async (repo) => {
      await prepare(repo, situation);
      const at = checkoutOf(repo, situation);
      if (begin !== undefined) shell(repo, begin, at);
      await commitStep(repo, at, { subject: 'Base', files: base });
    },
  });
}

/** Lets both sides work and a command meet the result; the turns stand for the agent, and what comes out is reviewed and accepted. */
export async function perform(work: ScratchWork, scenario: Scenario): Promise<Performed> {
  const { situation = 'clean', worker = [], main = [], later = [], turns = [] } = scenario;
  const { repo, context, worktree } = work;
  const checkout = checkoutOf(repo, situation);
  for (const act of worker) await doAct(work, act, worktree);
  for (const act of main) await doAct(work, act, checkout);
  for (const act of later) await doAct(work, act, worktree);
  const [head, onto] = await Promise.all([repo.run(['rev-parse', 'HEAD'], worktree), repo.run(['rev-parse', 'main'])]);
  await situate(repo, situation);
  await put(checkout, scenario.inTheWay ?? {});
  if (scenario.userDoes !== undefined) shell(repo, scenario.userDoes, repo.path);
  const before = pictureOf(repo, situation);
  const first = await attempt(() => command(work, scenario.by ?? 'accept'));
  const open = openResolution(context.store.database, 'adam');
  const facts = open && (await readConflict(context.git, worktree, open));
  const prompts: string[] = [...takePrompts(work)];
  for (const turn of turns) {
    if (context.store.worker('adam').status !== 'rebasing') throw new Error(`no one asked for the turn ${JSON.stringify(turn)}`);
    await takeTurn(work, turn);
    await context.locks.withLock('adam', () => advanceResolution(context, 'adam'));
    prompts.push(...takePrompts(work));
  }
  const resolved = pictureOf(repo, situation);
  const last = wantsAccept(work, first) ? await attempt(() => reviewAndAccept(work, scenario)) : first;
  return {
    work,
    head,
    onto,
    facts,
    prompts,
    resolution: lastResolution(context.store.database, 'adam'),
    worker: context.store.worker('adam'),
    refusal: last.refusal,
    accepted: last.value,
    pictures: { before, resolved: last.value === undefined || first === last ? before : resolved, after: pictureOf(repo, situation) },
  };
}

async function doAct({ repo }: ScratchWork, act: Act, at: string): Promise<void> {
  if (typeof act === 'string') shell(repo, act, at);
  else await commitStep(repo, at, act);
}

type Accepted = Performed['accepted'];

async function command({ context }: ScratchWork, by: NonNullable<Scenario['by']>): Promise<Accepted> {
  switch (by) {
    case 'accept':
      return await acceptWork(context, { worker: 'adam' });
    case 'review':
      await reviewWork(context, { worker: 'adam' });
      return undefined;
    case 'rebase':
      await rebaseWork(context, { worker: 'adam' });
      return undefined;
    case 'patrol':
      await refreshReviews(context, { onConflict: resolver(context, 'patrol') });
      return undefined;
  }
}

async function reviewAndAccept({ context }: ScratchWork, { allowDropped, reviewed = true }: Scenario): Promise<Accepted> {
  if (reviewed) await reviewWork(context, { worker: 'adam' });
  return await acceptWork(context, { worker: 'adam', allowDropped, requireReview: reviewed });
}

interface Outcome {
  readonly value?: Accepted;
  readonly refusal?: LlmcError;
}

async function attempt(perform: () => Promise<Accepted>): Promise<Outcome> {
  try {
    const value = await perform();
    return value === undefined ? {} : { value };
  } catch (error) {
    if (error instanceof LlmcError) return { refusal: error };
    throw error;
  }
}

/** A person goes on after a resolution, and after a command that was not an accept. Not after a refusal, and not when it was given back. */
function wantsAccept({ context: { store } }: ScratchWork, { value, refusal }: Outcome): boolean {
  if (value !== undefined || store.worker('adam').status !== 'needs_review') return false;
  const resolution = lastResolution(store.database, 'adam');
  return resolution === undefined ? refusal === undefined : resolution.outcome === 'resolved';
}

/** The texts that went to the agent, as if it had got them. */
function* takePrompts({ context: { store, clock } }: ScratchWork): Generator<string> {
  for (let next = nextDelivery(store.database, 'adam'); next !== undefined; next = nextDelivery(store.database, 'adam')) {
    yield next.text;
    updateDelivery(store.database, next.id, { state: 'done', done_ms: clock.now() });
  }
}

async function takeTurn({ repo, worktree }: ScratchWork, turn: Turn): Promise<void> {
  if (typeof turn === 'string') return shell(repo, turn, worktree);
  await put(worktree, turn.files ?? {});
  switch (turn.next) {
    case 'leave':
      return;
    case 'abort':
      return shell(repo, 'git rebase --abort', worktree);
    case 'commit':
      return shell(repo, 'git add --all; git commit --quiet -m "Repair the result"', worktree);
    case 'stage':
      return shell(repo, 'git add --all', worktree);
    case 'continue':
      shell(repo, 'git add --all', worktree);
      // Ends with status 1 where the next commit conflicts too.
      spawnSync('git', ['rebase', '--continue'], { cwd: worktree, env: { ...process.env, ...repo.env, GIT_EDITOR: 'true' } });
  }
}
