import { basename, join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { type Answer, type Git, type GitCall, read, write } from '../run.ts';
import type { IdentityEnv } from '../source/identity.ts';
import { filesAt } from '../walled-files.ts';
import { unmergedFiles } from './conflict.ts';
import { gitDirOf } from './operation.ts';

const nothingStagedCall = (worktree: string): GitCall => read(worktree, 'diff', '--cached', '--quiet', 'HEAD', '--');
const goOnCall = (worktree: string, settings: readonly string[], how: '--continue' | '--skip', env: IdentityEnv): GitCall => ({
  ...write(worktree, ...settings, 'rebase', how),
  env,
});

/**
 * Continues a rebase that stopped at conflicts which rerere has resolved and staged: git exits with 1 there although nothing is
 * left to resolve (git 2.39). Returns git's last answer: status 0 when the rebase is done, else the stop that is a real conflict.
 */
export async function continueReplayed(
  git: Git,
  worktree: string,
  stopped: Answer,
  settings: readonly string[],
  env: IdentityEnv,
): Promise<Answer> {
  let answer = stopped;
  // This loop ends: each step passes one commit, and git does not print the message for any other kind of stop.
  while (stagedResolution(answer) && (await unmergedFiles(git, worktree)).length === 0) {
    await requireOnlyPicks(git, worktree);
    // The resolution can leave a commit empty. `--continue` would drop it too; `--skip` says so.
    const empty = (await git.run(nothingStagedCall(worktree))).status === 0;
    answer = await git.run(goOnCall(worktree, settings, empty ? '--skip' : '--continue', env));
  }
  return answer;
}

/** A list of more steps than this is not one of a rebase that llmc started. */
const LONGEST_LIST = 10_000_000;

/** git reads the remaining steps from a file when it continues, and runs every line `exec`. An agent can write that file meanwhile. */
async function requireOnlyPicks(git: Git, worktree: string): Promise<void> {
  const state = join(await gitDirOf(git, worktree), 'rebase-merge');
  const files = filesAt(git, worktree);
  const steps = await files.readPlain(join(state, 'git-rebase-todo'), LONGEST_LIST);
  const isPlain = steps?.split('\n').every((line) => line === '' || line.startsWith('#') || /^pick [0-9a-f]+( |$)/.test(line)) ?? false;
  // A strategy is the name of a program.
  if (isPlain && !(await files.exists(join(state, 'strategy')))) return;
  throw new LlmcError('GIT_FAILED', `the steps of the rebase in ${worktree} were changed while it ran`, {
    hint: `Look at what runs there: ${commandLine('llmc', 'attach', basename(worktree))}`,
  });
}

/** git prints this for a file that rerere resolved, when `rerere.autoUpdate` stages it. */
function stagedResolution({ status, stderr }: Answer): boolean {
  return status !== 0 && /^Staged '.*' using previous resolution\.$/m.test(stderr);
}
