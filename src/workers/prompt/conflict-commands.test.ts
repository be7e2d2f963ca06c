import { describe, expect, test } from 'vitest';
import { CONFLICT_CASES, changed, TEN } from '../../../test/support/conflict-cases.ts';
import { conflicting, type Tree } from '../../../test/support/conflicting.ts';
import { type ScratchRepo, scratchRepo } from '../../../test/support/scratch-repo.ts';
import { type ConflictFile, readConflict } from '../../git/rebase/conflict-facts.ts';
import { rebaseCall } from '../../git/rebase/rebase.ts';
import { type ConflictChoice, choicesFor, versionCommands } from './clash-text.ts';
import { onePerRename } from './conflict-words.ts';

/** As an agent types it. */
async function type(repo: ScratchRepo, worktree: string, command: string) {
  const line = command.replace('<new name>', 'chosen-name');
  const { outcome, stderr } = await repo.processes.run({ file: 'bash', args: ['-c', line], cwd: worktree });
  expect({ line, outcome, stderr }).toMatchObject({ outcome: { status: 0 } });
}

async function take(
  repo: ScratchRepo,
  worktree: string,
  files: readonly ConflictFile[],
  which: (all: readonly ConflictChoice[]) => ConflictChoice | undefined,
) {
  for (const file of files) for (const command of which(choicesFor(file))?.commands ?? []) await type(repo, worktree, command);
  expect(await repo.run(['ls-files', '--unmerged'], worktree)).toBe('');
}

describe('the commands of a prompt end the conflict', () => {
  test.each(CONFLICT_CASES)('$name', async ({ base = {}, submodules = {}, main, worker }) => {
    await using repo = await scratchRepo();
    const { worktree, ...rebasing } = await conflicting(repo, { base, submodules, main: [main], worker: [worker] });
    const files = onePerRename((await readConflict(repo.git, worktree, rebasing)).files);
    for (const file of files) for (const command of versionCommands(file)) await type(repo, worktree, command);
    await take(repo, worktree, files, ([first]) => first);
    await repo.run(['rebase', '--abort'], worktree);
    await repo.git.run(rebaseCall(worktree, rebasing.onto));
    await take(repo, worktree, files, (all) => all[1] ?? all[0]);
    expect((await readConflict(repo.git, worktree, rebasing)).files.every(({ state }) => state === 'staged')).toBe(true);
  });

  test('with every file name that git allows, for that file alone', async () => {
    await using repo = await scratchRepo();
    const names = [
      'two words',
      'ünï',
      'it\'s "q"',
      '-dash',
      'line\nfeed',
      'b\\s',
      'tab\there',
      ':(top)x',
      '*',
      'hid\u202eden',
      '$(touch x)',
      '`id`',
    ];
    const all = (text: string): Tree => Object.fromEntries(names.map((name) => [name, text]));
    const { worktree, ...rebasing } = await conflicting(repo, {
      base: all(TEN),
      main: [{ files: all(changed(5, 'main\n')) }],
      worker: [{ files: all(changed(5, 'worker\n')) }],
    });
    const { files } = await readConflict(repo.git, worktree, rebasing);
    expect(files).toHaveLength(names.length);
    for (const [index, file] of files.entries()) {
      for (const command of [...versionCommands(file), ...choicesFor(file).flatMap(({ commands }) => commands)])
        await type(repo, worktree, command);
      const left = (await readConflict(repo.git, worktree, rebasing)).files.filter(({ state }) => state === 'unmerged');
      expect(left).toHaveLength(names.length - index - 1);
    }
  });
});
