import { fault } from '../../base/fault.ts';
import { isAncestor, readCommitId } from '../../git/inspect.ts';
import { beginRebase } from '../../git/rebase/begin-rebase.ts';
import { type ConflictFacts, readConflict } from '../../git/rebase/conflict-facts.ts';
import { standInForMain } from '../../git/rebase/former-main.ts';
import { abortRebase, passCommit } from '../../git/rebase/pass-commit.ts';
import { type GitSituation, readSituation } from '../../git/rebase/stopped-rebase.ts';
import { outside } from '../../git/run.ts';
import { decideResolution, type RebaseSituation, type ResolutionStep, type ResolutionView } from '../../recovery/decide-resolution.ts';
import { openResolution, type Resolution, updateResolution } from '../../store/tables/resolutions.ts';
import type { WorkContext } from '../context.ts';
import { applyConflictRules, type RuleResult } from './apply-conflict-rules.ts';
import { askAgent } from './ask-agent.ts';
import { callPerson } from './call-person.ts';
import { finishResolution } from './finish-resolution.ts';
import { giveBack } from './give-back.ts';
import { resolutionPolicy } from './resolution-policy.ts';

/** What is known about the agent when a resolution goes on. */
export type AgentFacts = Pick<ResolutionView, 'agent' | 'undelivered' | 'progressAt'>;

/** For an agent that is at its prompt: the case of a command that starts a resolution. */
const IDLE: AgentFacts = { agent: 'turn-over', undelivered: false, progressAt: 0 };

/**
 * Takes a resolution as far as it goes without the agent: begins the rebase, passes what is resolved, asks for the rest, proves a
 * rebase that is over. Each step is in the row before it happens. Returns the last step. The caller has the worker's lock.
 */
export async function advanceResolution(asked: WorkContext, name: string, agent: AgentFacts = IDLE): Promise<ResolutionStep | undefined> {
  // A rule or a validation goes on when the command that met the conflict ends, as an accept of other work does at once.
  const context = { ...asked, signal: asked.lasting };
  const config = await context.config();
  const ruled = new Map<string, readonly RuleResult[]>();
  for (;;) {
    const row = openResolution(context.store.database, name);
    if (row === undefined) return undefined;
    const situation = await readOrBegin(context, row);
    if (situation === undefined) continue;
    const { git, facts } = situation;
    const step = decideResolution({ row, git, ...agent }, resolutionPolicy(config), context.clock.now());
    switch (step.kind) {
      case 'wait':
        return step;
      case 'continue':
        await pass(context, row, git);
        continue;
      case 'prove':
        await finishResolution(context, row, config);
        return step;
      case 'give-back':
        await giveBack(context, row, step);
        return step;
      case 'call':
        callPerson(context, row, step);
        return step;
      case 'ask': {
        const at = step.stop;
        const isRuled = step.reason === 'first' || step.reason === 'next-commit' || step.reason === 'unresolved';
        if (isRuled && facts !== undefined && !ruled.has(at)) {
          const stop = { worktree: context.store.worker(name).worktree_path, facts, record: ruleRecorder(context, row) };
          const results = await applyConflictRules(context, config, stop);
          for (const key of [at, 'last']) ruled.set(key, results);
          if (results.some(({ kind }) => kind === 'applied')) continue;
        }
        askAgent(context, config, row, { step, facts, rules: ruled.get('last') ?? [] });
        return step;
      }
    }
  }
}

/** Writes down which files a rule has resolved: the proof leaves out these, and no file that the agent resolved. */
function ruleRecorder({ store }: WorkContext, { id, worker, ruled }: Resolution): (results: readonly RuleResult[]) => void {
  const paths = new Set(ruled);
  return (results) => {
    for (const result of results) {
      if (result.kind === 'applied' && result.made) paths.add(result.path);
      else paths.delete(result.path);
    }
    const summary = `rules of config.toml: ${results.map(({ kind, path }) => `${path} ${kind}`).join(', ')}`;
    store.commit({ worker, kind: 'rebase', summary, rows: (database) => updateResolution(database, id, { ruled: [...paths] }) });
  };
}

interface Situation {
  readonly git: RebaseSituation;
  /** Undefined when the rebase is over. */
  readonly facts: ConflictFacts | undefined;
}

/** Undefined when the rebase had to be begun first. */
async function readOrBegin(context: WorkContext, row: Resolution): Promise<Situation | undefined> {
  const { git } = context;
  const { worktree_path: at } = context.store.worker(row.worker);
  const found = await readSituation(git, at, row);
  if (row.phase === 'intended' && row.stop === null && !(await begin(context, row, found))) return undefined;
  if (found.kind === 'over') return { git: found, facts: undefined };
  const facts = await readConflict(git, at, row);
  const marked = facts.files.filter(({ state, markers }) => state === 'staged' && markers.length > 0).map(({ path }) => path);
  return { git: { ...found, marked }, facts };
}

/** Begins the rebase of a new resolution. True if it had begun already, also before a crash. */
async function begin(context: WorkContext, row: Resolution, found: GitSituation): Promise<boolean> {
  const { git, store } = context;
  const { worktree_path: at, branch } = store.worker(row.worker);
  if (found.kind === 'stopped' ? found.commit !== undefined : found.at !== 'old') return true;
  // A rebase that was cut off between two commits has stopped at none.
  if (found.kind === 'stopped') await abortRebase(git, at, branch, row.head);
  // Without the second case, the rebase would bring back what a user took from main.
  const isOnMain = await isAncestor(outside(git), at, row.base, row.onto);
  const after = isOnMain ? row.onto : await standInForMain(git, at, { upstreams: [row.onto, row.base] });
  const begun = await beginRebase(git, at, { onto: row.onto, after, branch });
  fault('rebase:after-begin');
  if (begun.kind === 'dirty')
    await giveBack(context, row, {
      reason: 'in_the_way',
      why: `these files are in the way: ${begun.files.join(', ')}`,
      inTheWay: begun.files,
    });
  // The agent has moved its work itself, a moment ago.
  if (begun.kind === 'over' && (await readCommitId(git, at)) === row.head)
    await giveBack(context, row, { reason: 'up_to_date', why: 'the work is on main’s commit already' });
  return false;
}

/** Passes a stopped commit whose files are all staged. The row says so first: between commit and rest, HEAD alone does not. */
async function pass(context: WorkContext, row: Resolution, git: RebaseSituation): Promise<void> {
  const { store } = context;
  const { worktree_path: at, branch } = store.worker(row.worker);
  const stopped = git.kind === 'stopped' ? await readSituation(context.git, at, row) : undefined;
  const continuing =
    row.continuing ?? (stopped?.kind === 'stopped' && stopped.commit !== undefined ? { commit: stopped.commit, from: stopped.head } : null);
  if (continuing === null) return;
  if (row.continuing === null)
    store.commit({
      worker: row.worker,
      kind: 'rebase',
      summary: `everything is staged; continuing the rebase after ${continuing.commit.slice(0, 12)}`,
      rows: (database) => updateResolution(database, row.id, { continuing }),
    });
  fault('rebase:before-pass');
  await passCommit(context.git, at, { ...row, branch, ...continuing });
  fault('rebase:after-pass');
  store.commit({
    worker: row.worker,
    kind: 'rebase',
    summary: `passed ${continuing.commit.slice(0, 12)}`,
    rows: (database) => updateResolution(database, row.id, { continuing: null, phase: 'asked' }),
  });
}
