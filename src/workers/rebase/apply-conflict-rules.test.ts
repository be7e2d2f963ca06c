import { expect, test } from 'vitest';
import { type Step, stopRebase } from '../../../test/support/conflicting.ts';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import { type Rebasing, readConflict } from '../../git/rebase/conflict-facts.ts';
import { applyConflictRules } from './apply-conflict-rules.ts';

/** Files that both sides created. */
const both = (...paths: readonly string[]): { main: readonly Step[]; worker: readonly Step[] } => ({
  main: [{ files: Object.fromEntries(paths.map((path) => [path, 'main\n'])) }],
  worker: [{ files: Object.fromEntries(paths.map((path) => [path, 'worker\n'])) }],
});

const rule = (files: string, name: string, command?: string) =>
  `[[repo.conflicts]]\nfiles = ${files}\nrule = "${name}"\n${command === undefined ? '' : `command = ${JSON.stringify(command)}\n`}`;

async function apply({ context, worktree }: ScratchWork, rebasing: Rebasing) {
  const facts = await readConflict(context.git, worktree, rebasing);
  const results = await applyConflictRules(context, await context.config(), { worktree, facts, record: () => {} });
  const { files } = await readConflict(context.git, worktree, rebasing);
  return { results, open: files.filter(({ state }) => state === 'unmerged') };
}

test.each([
  ['main', 'main\n'],
  ['worker', 'worker\n'],
])('the rule "%s" takes that version into the file and the index', async (name, text) => {
  await using work = await scratchWork({ repo: rule('"*.lock"', name) });
  const { repo, worktree, context } = work;
  const rebasing = await stopRebase(repo, context.layout.root, worktree, both("it's.lock", '-x.lock', 'a\nb.lock', 'other'));
  const { results, open } = await apply(work, rebasing);
  const paths = ['-x.lock', 'a\nb.lock', "it's.lock"];
  expect(results).toEqual(paths.map((path) => ({ kind: 'applied', path, rule: name, made: true })));
  expect(open.map(({ path }) => path)).toEqual(['other']);
  for (const path of paths) {
    expect(await repo.read(path, worktree)).toBe(text);
    expect(await repo.run(['show', `:0:${path}`], worktree)).toBe(text.trim());
  }
});

test('a file that the chosen side deleted is deleted', async () => {
  await using work = await scratchWork({ repo: rule('"README.md"', 'main') });
  const { repo, worktree, context } = work;
  const rebasing = await stopRebase(repo, context.layout.root, worktree, {
    main: [{ files: { 'README.md': null } }],
    worker: [{ files: { 'README.md': 'worker\n' } }],
  });
  expect((await apply(work, rebasing)).open).toEqual([]);
  expect(await repo.run(['ls-files', 'README.md'], worktree)).toBe('');
  await expect(repo.read('README.md', worktree)).rejects.toThrow('ENOENT');
});

test('a command makes the file again from main’s version, and llmc stages what it made', async () => {
  await using work = await scratchWork({ repo: rule('["**/x.lock"]', 'regenerate', 'printf "made\\n" >> a/x.lock') });
  const { repo, worktree, context, said } = work;
  const rebasing = await stopRebase(repo, context.layout.root, worktree, both('a/x.lock'));
  const { results, open } = await apply(work, rebasing);
  expect(results).toEqual([{ kind: 'applied', path: 'a/x.lock', rule: 'regenerate', made: true }]);
  expect(open).toEqual([]);
  expect(await repo.run(['show', ':0:a/x.lock'], worktree)).toBe('main\nmade');
  expect(said).toContain('Resolve: printf "made\\n" >> a/x.lock');
});

test('a command that fails leaves the conflict with its markers to the agent, and is reported', async () => {
  await using work = await scratchWork({ repo: rule('"x.lock"', 'regenerate', 'echo no network; exit 3') });
  const { repo, worktree, context } = work;
  const rebasing = await stopRebase(repo, context.layout.root, worktree, both('x.lock'));
  const before = await repo.read('x.lock', worktree);
  const { results, open } = await apply(work, rebasing);
  expect(results).toMatchObject([{ kind: 'failed', path: 'x.lock', line: { reason: 'exit status 3', output: 'no network' } }]);
  expect(open).toMatchObject([{ path: 'x.lock', markers: [1, 3, 4, 6] }]);
  expect((await repo.read('x.lock', worktree)).split('\n').length).toBe(before.split('\n').length);
});

test('a command waits while another file has a conflict, because it reads the others', async () => {
  await using work = await scratchWork({ repo: rule('"x.lock"', 'regenerate', 'touch ran') });
  const { repo, worktree, context } = work;
  const rebasing = await stopRebase(repo, context.layout.root, worktree, both('x.lock', 'package.json'));
  const { results, open } = await apply(work, rebasing);
  expect(results).toEqual([{ kind: 'left', path: 'x.lock', command: 'touch ran' }]);
  expect(open.map(({ path }) => path)).toEqual(['package.json', 'x.lock']);
  await expect(repo.read('ran', worktree)).rejects.toThrow('ENOENT');
});

test('the first rule that matches a file counts, and a second call finds nothing to do', async () => {
  await using work = await scratchWork({ repo: rule('"x.lock"', 'worker') + rule('"**"', 'main') });
  const { repo, worktree, context } = work;
  const rebasing = await stopRebase(repo, context.layout.root, worktree, both('x.lock', 'y'));
  expect((await apply(work, rebasing)).open).toEqual([]);
  expect([await repo.read('x.lock', worktree), await repo.read('y', worktree)]).toEqual(['worker\n', 'main\n']);
  expect((await apply(work, rebasing)).results).toEqual([]);
});

test('beside more files than the facts hold, a command waits for those that are unmerged, and no longer', async () => {
  await using work = await scratchWork({ repo: rule('"0.lock"', 'regenerate', 'printf "made\\n" > 0.lock') });
  const { repo, worktree, context } = work;
  const many = Array.from({ length: 205 }, (_, index) => `f${index}.txt`);
  const rebasing = await stopRebase(repo, context.layout.root, worktree, both('0.lock', ...many));
  for (const path of many.slice(1)) await repo.write(path, 'resolved\n', worktree);
  await repo.run(['add', ...many.slice(1)], worktree);
  expect((await apply(work, rebasing)).results).toEqual([{ kind: 'left', path: '0.lock', command: 'printf "made\\n" > 0.lock' }]);
  await repo.write('f0.txt', 'resolved\n', worktree);
  await repo.run(['add', 'f0.txt'], worktree);
  expect((await apply(work, rebasing)).results).toMatchObject([{ kind: 'applied', path: '0.lock', made: true }]);
});
