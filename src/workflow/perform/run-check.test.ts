import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { isAlive, until } from '../../../test/support/scratch-tmux.ts';
import { type ScratchWork, scratchWork } from '../../../test/support/scratch-work.ts';
import { walledTest } from '../../../test/support/walled-test.ts';
import { beginCheck, checkResult, runningChecks } from '../../store/tables/checks.ts';
import { LINE_MARK } from '../../system/processes/strays.ts';
import { lineMark } from '../../workers/worktree/leftovers.ts';
import { endLeftLines, rememberProcess } from './end-lines.ts';
import { runCheck } from './run-check.ts';
import type { RunCheck } from './run-workers.ts';

const check = (lines: readonly string[], changes: Partial<RunCheck> = {}): RunCheck => ({
  id: 'fix-1.3',
  run: 'fix-1',
  base: null,
  lines,
  timeoutMs: null,
  onStart: async () => undefined,
  signal: new AbortController().signal,
  ...changes,
});

/** A file beside the root, where lines without a sandbox can write. */
const beside = ({ repo }: ScratchWork, name: string) => join(repo.dir, name);
const pidsIn = (file: string) => readFileSync(file, 'utf8').trim().split('\n').map(Number);

describe('shell lines of a run', () => {
  test('run in a worktree of their own, at the commit, in the environment of the user, and their result is kept', async () => {
    await using work = await scratchWork();
    const { context, repo, worktree } = work;
    await repo.commit('Add a', { 'a.txt': 'a\n' }, worktree);
    const base = (await repo.run(['rev-parse', 'HEAD'], worktree)).trim();
    const file = beside(work, 'ran');
    const lines = [`cat a.txt && pwd >> ${file} && env >> ${file}`];
    expect(await runCheck(context, check(lines, { base }))).toEqual({ passed: true, late: false, output: '' });
    const [folder, ...variables] = readFileSync(file, 'utf8').trim().split('\n');
    expect(folder).toBe(context.layout.worktree('fix-1--check'));
    expect(variables.filter((line) => line.startsWith('LLMC_')).map((line) => line.split('=')[0])).toEqual([LINE_MARK]);
    // After a crash before its answer was stored, the same action does not run them again.
    expect(await runCheck(context, check(lines, { base }))).toMatchObject({ passed: true });
    expect(
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line === folder),
    ).toHaveLength(1);
  });

  test('that fail name the line and the end of its output', async () => {
    await using work = await scratchWork();
    const { passed, output } = await runCheck(work.context, check(['true', 'echo no luck; exit 3']));
    expect(passed).toBe(false);
    expect(output).toBe('`echo no luck; exit 3` failed (exit status 3):\nno luck');
  });

  test('that take too long are ended with everything that they started, also in other sessions', async () => {
    await using work = await scratchWork();
    const file = beside(work, 'pids');
    const line = `setsid sh -c 'echo $$ >> ${file}; exec sleep 600' & sleep 600 & echo $! >> ${file}; while [ $(wc -l < ${file}) -lt 2 ]; do :; done; wait`;
    // Their time is up once both run, however long the machine takes for that; then the one in another session keeps the output open.
    const onStart = async () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    using _clock = { [Symbol.dispose]: () => vi.useRealTimers() };
    const running = runCheck(work.context, check([line], { timeoutMs: 1_500, onStart }));
    await until('both', async () => existsSync(file) && pidsIn(file).length === 2);
    vi.advanceTimersByTime(1_500);
    vi.advanceTimersByTime(2_000);
    const result = await running;
    expect(result).toMatchObject({ passed: false, late: true, output: expect.stringContaining('took too long (1s)') });
    await until('the end of both', async () => pidsIn(file).every((pid) => !isAlive(pid)));
    expect(pidsIn(file)).toHaveLength(2);
  });

  test('that nobody waits for any more are ended, and leave no result', async () => {
    await using work = await scratchWork();
    const file = beside(work, 'pid');
    const drop = new AbortController();
    const running = runCheck(work.context, check([`echo $$ > ${file}; sleep 600 & sleep 600`], { signal: drop.signal }));
    const refused = expect(running).rejects.toThrow('interrupted');
    await until('the line', async () => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'));
    drop.abort();
    await refused;
    const [pid = 0] = pidsIn(file);
    await until('the end of its group', async () => !isAlive(-pid));
    expect(checkResult(work.context.store.database, 'fix-1.3')).toBeUndefined();
    expect(runningChecks(work.context.store.database)).toEqual([]);
  });
});

describe('shell lines of a supervisor that was killed', () => {
  /** A process as the killed one left it: it ignores the end of its parent and every signal that it can. */
  function orphan(mark: string | undefined) {
    const child = spawn('sh', ['-c', "trap '' TERM HUP; sleep 600 & wait"], {
      detached: true,
      stdio: 'ignore',
      env: { PATH: process.env.PATH, ...(mark !== undefined && { [LINE_MARK]: mark }) },
    });
    return child.pid ?? 0;
  }

  test.each([
    ['known by its number and its beginning', undefined],
    ['known by its mark alone, because llmc was killed before it noted the number', 'm1'],
  ])('%s are ended before they run again', async (_, mark) => {
    await using work = await scratchWork();
    const { context } = work;
    const pid = orphan(mark === undefined ? undefined : lineMark(context.layout, mark));
    beginCheck(context.store.database, { action: 'fix-1.3', run: 'fix-1', mark: 'm1', at: 1 });
    if (mark === undefined) await rememberProcess(context, 'm1', pid);
    await endLeftLines(context);
    await until('its end', async () => !isAlive(mark === undefined ? -pid : pid));
    expect(runningChecks(context.store.database)).toEqual([]);
    expect(await runCheck(context, check(['true']))).toMatchObject({ passed: true });
  });

  test('whose number another process has now leave that process alone', async () => {
    await using work = await scratchWork();
    const { context } = work;
    const pid = orphan(undefined);
    beginCheck(context.store.database, { action: 'fix-1.3', run: 'fix-1', mark: 'm1', at: 1 });
    context.store.database.prepare("UPDATE run_checks SET pid = ?, started = 'long ago'").run(pid);
    await endLeftLines(context);
    expect(isAlive(pid)).toBe(true);
    process.kill(-pid, 'SIGKILL');
  });
});

walledTest('shell lines of a run see what its agents see', async () => {
  await using work = await scratchWork({ repo: '\n[sandbox]\nkind = "bubblewrap"\n' });
  const file = beside(work, 'escaped');
  const line = `echo in > inside.txt; echo out > ${file}; test ! -e '${work.context.layout.database}'`;
  expect(await runCheck(work.context, check([line]))).toMatchObject({ passed: true });
  expect(existsSync(file)).toBe(false);
  expect(existsSync(join(work.context.layout.worktree('fix-1--check'), 'inside.txt'))).toBe(true);
});
