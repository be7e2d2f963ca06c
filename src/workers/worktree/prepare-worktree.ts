import { basename } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import type { Config } from '../../config/schema.ts';
import { inspectSource } from '../../git/source/source.ts';
import { copyIgnored } from '../../git/worktree/copy-files.ts';
import { emptySubmodules } from '../../git/worktree/submodules.ts';
import type { WorkContext } from '../context.ts';
import { type Ground, runLines } from './shell-lines.ts';

/** Copies the ignored files that a worktree needs. Repeated at each start, because they change. */
export async function copyFiles(context: WorkContext, config: Config, worktree: string): Promise<void> {
  const { source, branch, copyFiles: globs } = config.repo;
  if (globs.length === 0) return;
  const { checkout } = await inspectSource(context.git, source, branch);
  const { copied, skipped, note } = await copyIgnored(context.git, checkout, worktree, globs);
  if (copied.length > 0) context.say(`Copied ${copied.join(', ')}`);
  for (const { path, why } of skipped) context.say(`Did not copy ${path}: ${why}`);
  if (note !== undefined) context.say(note);
}

/** Runs the user's set-up lines for a new worktree. */
export async function setUpWorktree(context: WorkContext, config: Config, ground: Ground): Promise<void> {
  const failed = await runLines(context, config, ground, config.repo.setup, 'Setup', {
    log: context.layout.output(basename(ground.at), 'setup'),
  });
  if (failed === undefined) return;
  throw new LlmcError('GIT_WORKTREE_FAILED', `the setup line "${failed.line}" failed: ${failed.reason}`, {
    hint: `Fix [repo] setup in ${context.layout.config}, then add the worker again.`,
    details: failed.output,
    detailsSaid: true,
  });
}

/** git leaves submodules empty in a new worktree. Checking them out may need a network, so the user decides. */
export async function reportEmptySubmodules(context: WorkContext, worktree: string): Promise<void> {
  const empty = await emptySubmodules(context.git, worktree);
  if (empty.length === 0) return;
  context.say(
    `Not checked out there: ${empty.length === 1 ? 'the submodule' : 'the submodules'} ${empty.join(', ')}. To have ${empty.length === 1 ? 'it' : 'them'} in every new worktree, put this under [repo] in ${context.layout.config}: setup = ["git submodule update --init --recursive"]`,
  );
}
