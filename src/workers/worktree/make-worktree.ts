import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import type { Config } from '../../config/schema.ts';
import { isAncestor } from '../../git/inspect.ts';
import { localRef, workerBranch } from '../../git/refs.ts';
import { read } from '../../git/run.ts';
import { fetchMain } from '../../git/source/fetch.ts';
import { addWorktree, removeWorktree } from '../../git/worktree/worktree.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from '../landing/main-branch.ts';
import { copyFiles, reportEmptySubmodules, setUpWorktree } from './prepare-worktree.ts';

/** Makes a worktree and a branch on main, then lets the caller record the worker. If one step fails, nothing stays. The caller has the lock. */
export async function makeWorktree(context: WorkContext, config: Config, name: string, record: (worktree: string) => void): Promise<void> {
  const { layout, git } = context;
  const main = await fetchMain(git, layout.root, await mainBranch(context, config), config.repo.source);
  if (config.repo.setup.length > 0) await requireMainsFiles(context, name, main);
  const worktree = layout.worktree(name);
  context.say(`Creating the worktree ${worktree}`);
  const added = await addWorktree(git, layout.root, name, worktree, main);
  try {
    await copyFiles(context, config, worktree);
    await setUpWorktree(context, config, { at: worktree, of: [] });
    await reportEmptySubmodules(context, worktree);
    context.files.makeFolder(layout.spool(name));
    record(worktree);
  } catch (error) {
    if (added.kind === 'created') await removeWorktree(git, layout.root, name, worktree);
    throw error;
  }
}

/** An agent can make the branch of a worker that does not exist yet, and the set-up lines would run its files as the user. */
async function requireMainsFiles({ git, layout }: WorkContext, name: string, main: string): Promise<void> {
  const branch = workerBranch(name);
  const { status, stdout } = await git.run(read(layout.root, 'rev-parse', '--quiet', '--verify', localRef(branch)));
  if (status !== 0 || (await isAncestor(git, layout.root, stdout.trim(), main))) return;
  throw new LlmcError(
    'GIT_WORKTREE_FAILED',
    `${branch} exists and has commits that main does not have: [repo] setup would run their files`,
    {
      hint: `Keep them under another name, then add the worker again: ${commandLine('git', '-C', layout.root, 'branch', '-m', branch, `kept/${name}`)}`,
    },
  );
}
