import { type FormerMains, nameCommits, readFormerMains } from '../../git/rebase/former-main.ts';
import { outside } from '../../git/run.ts';
import type { Worker } from '../../store/state.ts';
import { landedCommits, mainsOfLandings } from '../../store/tables/landings.ts';
import type { WorkContext } from '../context.ts';

type FormerContext = Pick<WorkContext, 'git' | 'layout' | 'store' | 'config'>;

/**
 * What main was at any time, as far as it can be below the work of this worker. A user who amends, resets or rebases main, and an undo,
 * take commits back: work that was built on them must not bring them back. `branch` is the main branch.
 */
export function collectFormerMains(context: FormerContext, worker: Worker, branch: string): FormerMains {
  return async () => {
    const { source } = (await context.config()).repo;
    const known = await readFormerMains(context.git, context.layout.root, source, branch);
    const { database } = context.store;
    const { name, base_commit: base, commit_sha, reviewed_commit, run } = worker;
    // Main had these from this worker: after an undo, they are its work again. The same holds if a person tried its commit out on main.
    const own = new Set([...landedCommits(database, name), commit_sha, reviewed_commit]);
    const all = new Set([...known, ...mainsOfLandings(database)]);
    const mains = new Set([...all].filter((commit) => !own.has(commit)));
    // A stage of a run may begin at the commit of an earlier stage, which has not landed.
    if (base !== null && (run === null || all.has(base))) mains.add(base);
    return mains;
  };
}

/** Commits beyond this number are counted, not named. */
const MOST_NAMED = 20;

/** What the state says about commits of main that were left out of a worker's work, together with those of earlier rebases. */
export async function withLeftOut({ git }: Pick<WorkContext, 'git'>, worker: Worker, leftOut: readonly string[]): Promise<Partial<Worker>> {
  if (leftOut.length === 0) return {};
  const before = worker.left_out ?? { commits: [], count: 0 };
  // A rebase that was given up has left them out already.
  const known = new Set(before.commits.map(({ commit }) => commit));
  const more = leftOut.filter((commit) => !known.has(commit));
  const named = await nameCommits(outside(git), worker.worktree_path, more.slice(0, MOST_NAMED)).catch(() => []);
  return { left_out: { commits: [...named, ...before.commits].slice(0, MOST_NAMED), count: before.count + more.length } };
}
