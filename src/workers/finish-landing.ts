import { LlmcError } from '../base/error.ts';
import { fault } from '../base/fault.ts';
import type { Config } from '../config/schema.ts';
import { commitsBetween } from '../git/commits.ts';
import { fetchMain } from '../git/fetch.ts';
import { isAncestor } from '../git/inspect.ts';
import { land } from '../git/land.ts';
import { composeMessage, stripAttribution } from '../git/message.ts';
import { patchIdOf } from '../git/patch.ts';
import { rebaseOnto } from '../git/rebase.ts';
import { moveBranch, squashOnto } from '../git/squash.ts';
import { type Landing, markLanded, prepareLanding, settleLanding } from '../store/landings.ts';
import type { WorkContext } from './context.ts';
import { mainBranch } from './main-branch.ts';
import { settleAccepted } from './settle-accepted.ts';
import { runLines } from './shell-lines.ts';

export interface AcceptResult {
  readonly worker: string;
  readonly branch: string;
  readonly commit: string;
  readonly subject: string;
  /** How it got onto main. */
  readonly how: 'merge' | 'push' | 'already-landed';
}

/** Main may move under us this often before a person should know that it does. */
const MOST_TRIES = 5;

/** Rebase, squash, validate, land, reset: every step may have happened already, and is then recognised. */
export async function finishLanding(context: WorkContext, landing: Landing): Promise<AcceptResult> {
  const { store, clock } = context;
  try {
    const config = await context.config();
    const branch = await mainBranch(context, config);
    const { how, commit } = await landOnMain(context, landing, config, branch);
    const subject = await settleAccepted(context, landing, branch, commit);
    return { worker: landing.worker, branch, commit, subject, how };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    store.commit({
      worker: landing.worker,
      kind: 'accept',
      summary: `not landed: ${problem}`,
      state: (draft) => {
        const worker = draft.workers[landing.worker];
        if (worker !== undefined) worker.attention = `Not landed: ${problem}`;
      },
      rows: (database) => settleLanding(database, landing.id, problem, clock.now()),
    });
    throw error;
  }
}

async function landOnMain(
  context: WorkContext,
  landing: Landing,
  config: Config,
  branch: string,
): Promise<{ how: AcceptResult['how']; commit: string }> {
  const { git, layout, store } = context;
  for (let attempt = 1; attempt <= MOST_TRIES; attempt += 1) {
    const main = await fetchMain(git, layout.root, branch);
    if (landing.landed !== null && (await isAncestor(git, layout.root, landing.landed, main)))
      return { how: 'already-landed', commit: landing.landed };
    const prepared = await prepare(context, landing, main);
    if (prepared === main) return { how: 'already-landed', commit: main };
    await validate(context, config, landing.worker);
    fault('accept:before-land');
    context.say(`Landing on ${branch}`);
    const landed = await land(git, { source: config.repo.source, root: layout.root, branch, sha: prepared, onto: main });
    switch (landed.kind) {
      case 'landed':
      case 'already-landed':
        fault('accept:after-land');
        store.commit({
          worker: landing.worker,
          kind: 'accept',
          summary: `landed ${prepared.slice(0, 12)} on ${branch}`,
          rows: (database) => markLanded(database, landing.id),
        });
        return { how: landed.kind === 'landed' ? landed.how : 'already-landed', commit: prepared };
      case 'moved':
        context.say(`${branch} moved meanwhile; rebasing again`);
        continue;
      case 'refused':
        throw new LlmcError('LANDING_REFUSED', landed.reason, {
          hint:
            landed.files === undefined
              ? `Mend that, then: llmc accept ${landing.worker}`
              : `Commit or move your own changes in ${config.repo.source}, then: llmc accept ${landing.worker}`,
          details: landed.files?.join('\n'),
        });
    }
  }
  throw new LlmcError('LANDING_REFUSED', `${branch} moved ${MOST_TRIES} times while the commit was being landed`, {
    hint: `llmc accept ${landing.worker}`,
  });
}

/** The worker's branch as one commit on top of `main`, equal to what was reviewed. */
async function prepare(context: WorkContext, landing: Landing, main: string): Promise<string> {
  const { git, store } = context;
  const worker = store.worker(landing.worker);
  const at = worker.worktree_path;
  const rebased = await rebaseOnto(git, at, main);
  if (rebased.kind === 'conflict') {
    throw new LlmcError('REBASE_CONFLICT', `the commit of ${worker.name} conflicts with main in ${rebased.files.join(', ')}`, {
      hint: `llmc reject --worker ${worker.name} "Rebase onto the latest main and resolve the conflicts"`,
      details: rebased.files.join('\n'),
    });
  }
  if (rebased.kind === 'dirty' || rebased.kind === 'busy') {
    const what = rebased.kind === 'dirty' ? `uncommitted changes in ${rebased.files.join(', ')}` : `a ${rebased.operation} in progress`;
    throw new LlmcError('WORKTREE_DIRTY', `the worktree of ${worker.name} has ${what}`, { hint: `llmc attach ${worker.name}` });
  }
  fault('accept:after-rebase');
  const { head } = rebased;
  const [commits, patchId] = await Promise.all([
    commitsBetween(git, at, main, head),
    worker.reviewed_patch_id === null ? null : patchIdOf(git, at, main, head),
  ]);
  if (patchId !== null && patchId !== worker.reviewed_patch_id && commits.length > 0) {
    throw new LlmcError('PATCH_CHANGED', `what ${worker.name} would land is not what was reviewed`, {
      hint: `Look again: llmc review ${worker.name}`,
    });
  }
  const message = landing.message === null ? composeMessage(commits.map((commit) => commit.message)) : stripAttribution(landing.message);
  const squashed = await squashOnto(git, at, main, message);
  if (squashed.kind === 'nothing') return main;
  store.commit({
    worker: worker.name,
    kind: 'accept',
    summary: `one commit ${squashed.sha.slice(0, 12)} on ${main.slice(0, 12)}`,
    state: (draft) => {
      const record = draft.workers[worker.name];
      if (record !== undefined) Object.assign(record, { commit_sha: squashed.sha, base_commit: main });
    },
    rows: (database) => prepareLanding(database, landing.id, main, squashed.sha),
  });
  await moveBranch(git, at, squashed.sha, head);
  fault('accept:after-squash');
  return squashed.sha;
}

async function validate(context: WorkContext, config: Config, name: string): Promise<void> {
  const failed = await runLines(context, config, context.store.worker(name).worktree_path, config.repo.validate, 'Validate');
  if (failed === undefined) return;
  throw new LlmcError('VALIDATION_FAILED', `"${failed.line}" failed for ${name}: ${failed.reason}`, {
    hint: `llmc reject --worker ${name} "Make \`${failed.line}\` pass"`,
    details: failed.output,
  });
}
