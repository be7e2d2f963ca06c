import { readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import { describeError } from '../../base/error.ts';
import { findValidation, type Validation } from '../../store/tables/validations.ts';
import { acceptWork } from '../accept-work.ts';
import { validateWork } from './validate-work.ts';

const REVIEWED = { status: 'needs_review', current_prompt: 'Add a' } as const;
/** Counts how often it runs, outside of the worktree. */
const COUNTS = 'validate = ["echo run >> ../../../validated; cat a.txt"]';
const runs = ({ repo }: ScratchWork) => readFileSync(`${repo.dir}/validated`, 'utf8').split('\n').length - 1;

async function stored({ repo, context, worktree }: ScratchWork, revision: string): Promise<Validation | undefined> {
  const tree = await repo.run(['rev-parse', `${revision}^{tree}`], worktree);
  return findValidation(context.store.database, tree, (await context.config()).repo.validate);
}

describe('a validation', () => {
  test('is kept with its tree, and the same files are not validated again', async () => {
    await using work = await scratchWork({ repo: COUNTS, worker: REVIEWED });
    const { repo, context, worktree } = work;
    const head = await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
    const config = await context.config();
    expect(await validateWork(context, config, 'adam', head)).toBeUndefined();
    expect(await stored(work, 'HEAD')).toMatchObject({ worker: 'adam', failed_line: null, reason: null });
    await acceptWork(context, { worker: 'adam' });
    expect(runs(work)).toBe(1);
    expect(await repo.run(['log', '--format=%s', 'main'])).toBe('Add a\nBegin');
  });

  test('that llmc interrupted because it ends is not kept as failed', async () => {
    await using work = await scratchWork({ repo: COUNTS, worker: REVIEWED });
    const { repo, context, worktree } = work;
    const head = await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
    const config = await context.config();
    const ending = validateWork({ ...context, signal: AbortSignal.abort() }, config, 'adam', head);
    await expect(ending).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await stored(work, 'HEAD')).toBeUndefined();
    expect(await validateWork(context, config, 'adam', head)).toBeUndefined();
    expect(await stored(work, 'HEAD')).toMatchObject({ failed_line: null });
  });

  test('of other files, and by other commands, runs again', async () => {
    await using work = await scratchWork({ repo: COUNTS, worker: REVIEWED });
    const { repo, context, worktree } = work;
    const config = await context.config();
    await validateWork(context, config, 'adam', await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree));
    const head = await repo.commit('Change a', { 'a.txt': 'b\n' }, worktree);
    await validateWork(context, config, 'adam', head);
    const other = { ...config, repo: { ...config.repo, validate: [...config.repo.validate, 'true'] } };
    await validateWork(context, other, 'adam', head);
    expect(runs(work)).toBe(3);
  });

  test('that failed is kept but not reused: what failed may be fixed outside of the repository', async () => {
    await using work = await scratchWork({ repo: 'validate = ["test -e ../../../fixed"]', worker: REVIEWED });
    const { repo, context, worktree } = work;
    await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
    await expect(acceptWork(context, { worker: 'adam' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await stored(work, 'HEAD')).toMatchObject({ failed_line: 'test -e ../../../fixed', reason: 'exit status 1' });
    await repo.write('../fixed', '');
    expect(await acceptWork(context, { worker: 'adam' })).toMatchObject({ subject: 'Add a' });
  });

  test('that changes the files says nothing about the tree', async () => {
    await using work = await scratchWork({ repo: 'validate = ["echo b > a.txt"]', worker: REVIEWED });
    const { repo, context, worktree } = work;
    const head = await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
    expect(await validateWork(context, await context.config(), 'adam', head)).toBeUndefined();
    expect(await stored(work, 'HEAD')).toBeUndefined();
  });

  test('leaves its whole output in a private file, and the error names it', async () => {
    await using work = await scratchWork({ repo: 'validate = ["seq 1 3000; false"]', worker: REVIEWED });
    const { repo, context, worktree } = work;
    await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
    const log = context.layout.output('adam', 'validate');
    const error = await acceptWork(context, { worker: 'adam' }).catch((thrown: unknown) => thrown);
    expect(describeError(error)).toBe(`"seq 1 3000; false" failed for adam: exit status 1. The whole output: ${log}`);
    expect(error).toMatchObject({ details: expect.stringMatching(/^2961\n[\d\n]+\n3000$/) });
    const kept = readFileSync(log, 'utf8').trimEnd().split('\n');
    expect([kept.length, kept[0], kept[1], kept.at(-1)]).toEqual([3_002, '$ seq 1 3000; false', '1', '(exit status 1)']);
    expect(statSync(log).mode & 0o777).toBe(0o600);
  });

  test('does not see the variables of llmc, of tmux, of git and of an agent', async () => {
    await using work = await scratchWork({ repo: 'validate = ["env"]', worker: REVIEWED });
    const { repo, context, worktree } = work;
    const head = await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
    const set = {
      LLMC_WORKER: 'x',
      LLMC_SEAL: 'x',
      TMUX: 'x',
      GIT_DIR: 'x',
      GIT_CONFIG_COUNT: '0',
      CLAUDECODE: '1',
      CLAUDE_CODE_SSE_PORT: '1',
      CODEX_SANDBOX: 's',
    };
    const before = { ...process.env };
    Object.assign(process.env, set);
    try {
      await validateWork(context, await context.config(), 'adam', head);
    } finally {
      for (const name of Object.keys(set)) delete process.env[name];
      Object.assign(process.env, before);
    }
    const names = readFileSync(context.layout.output('adam', 'validate'), 'utf8')
      .split('\n')
      .map((line) => line.replace(/=.*/, ''));
    expect(names).toContain('PATH');
    expect(names.filter((name) => name in set)).toEqual([]);
  });

  test('that takes too long is ended, and said', async () => {
    await using work = await scratchWork({ repo: 'command_timeout_secs = 1\nvalidate = ["sleep 600"]', worker: REVIEWED });
    await work.repo.commit('Add a', { 'a.txt': 'a\n' }, work.worktree);
    await expect(acceptWork(work.context, { worker: 'adam' })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining('took too long ([repo] command_timeout_secs)'),
    });
  });
});

describe('while a validation runs', () => {
  test('it is known which command, and no longer afterwards', async () => {
    await using work = await scratchWork({ repo: 'validate = ["cat ../../../pipe"]', worker: REVIEWED });
    const { repo, context, worktree } = work;
    await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
    let running: unknown;
    const say = (line: string) => {
      if (line.startsWith('Validate: ')) queueMicrotask(() => (running = context.validating.get('adam')));
    };
    await repo.write('../pipe', 'x');
    await acceptWork({ ...context, say }, { worker: 'adam' });
    expect(running).toEqual({ line: 'cat ../../../pipe', since: expect.any(Number) });
    expect(context.validating.size).toBe(0);
  });

  test('main may move: the commit is made and validated again, and main stays linear', async () => {
    // The first validation lets other work land.
    const other = 'test -e ../../../moved || { touch ../../../moved; cd "$SOURCE"; echo o > o.txt; git add o.txt; git commit -qm Other; }';
    await using work = await scratchWork({
      repo: `validate = [${JSON.stringify(`echo run >> ../../../validated; ${other}`)}]`,
      worker: REVIEWED,
    });
    const { repo, context, worktree } = work;
    await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
    process.env.SOURCE = repo.path;
    await acceptWork(context, { worker: 'adam' }).finally(() => delete process.env.SOURCE);
    expect(await repo.run(['log', '--format=%s', 'main'])).toBe('Add a\nOther\nBegin');
    expect(runs(work)).toBe(2);
  });

  test('a commit that the agent makes meanwhile does not get into the next attempt', async () => {
    const other = 'cd "$SOURCE"; echo o > o.txt; git add o.txt; git commit -qm Other';
    const later = 'echo later > later.txt; git add later.txt; git commit -qm Later';
    await using work = await scratchWork({ repo: `validate = [${JSON.stringify(`${later}; ${other}`)}]`, worker: REVIEWED });
    const { repo, context, worktree } = work;
    await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
    process.env.SOURCE = repo.path;
    const accepting = acceptWork(context, { worker: 'adam' }).finally(() => delete process.env.SOURCE);
    await expect(accepting).rejects.toMatchObject({ code: 'PATCH_CHANGED' });
    expect(await repo.run(['log', '--format=%s', 'main'])).toBe('Other\nBegin');
  });
});
