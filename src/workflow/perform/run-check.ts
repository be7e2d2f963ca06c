import { fault } from '../../base/fault.ts';
import type { Config } from '../../config/schema.ts';
import { resetInPlace } from '../../git/worktree/reset.ts';
import { beginCheck, checkResult, endCheck, forgetCheck, type RunCheckResult } from '../../store/tables/checks.ts';
import { runBase } from '../../workers/branch/run-base.ts';
import type { WorkContext } from '../../workers/context.ts';
import { makeRunWorker } from '../../workers/tasks/run-worker.ts';
import { copyFiles } from '../../workers/worktree/prepare-worktree.ts';
import { settleSandbox } from '../../workers/worktree/sandbox.ts';
import { type FailedLine, runLines } from '../../workers/worktree/shell-lines.ts';
import { checkWorkerName } from '../model/run-names.ts';
import { rememberProcess } from './end-lines.ts';
import type { RunCheck } from './run-workers.ts';

/**
 * Runs shell lines in a worktree that a run keeps for them, in the sandbox of its agents: the lines run what an agent wrote. One check
 * of a run at a time has it. Lines that have ended are not run again, and none is left running.
 */
export async function runCheck(context: WorkContext, check: RunCheck): Promise<RunCheckResult> {
  const { store, locks } = context;
  return await locks.withLock(`:check ${check.run}`, async () => {
    const known = checkResult(store.database, check.id);
    if (known !== undefined) return known;
    check.signal.throwIfAborted();
    const config = await context.config();
    const worktree = await prepare(context, config, check);
    const mark = context.random.id();
    beginCheck(store.database, { action: check.id, run: check.run, mark, at: context.clock.now() });
    fault('check:before-lines');
    await check.onStart();
    return await runMarked(context, config, check, { worktree, mark });
  });
}

/** A worktree at the commit. Files that git ignores stay from one check to the next, so that it does not install everything again. */
async function prepare(context: WorkContext, config: Config, { run, base }: RunCheck): Promise<string> {
  const { git, store, agents } = context;
  const name = checkWorkerName(run);
  const { worktree_path: worktree, branch } = await makeRunWorker(context, { name, run, role: 'check' });
  await agents.keepWorktree(name);
  await settleSandbox(context, config, store.worker(name), process.env);
  const start = base ?? (await runBase(context, config, run));
  await resetInPlace(git, worktree, start, branch);
  await copyFiles(context, config, worktree);
  return worktree;
}

async function runMarked(
  context: WorkContext,
  config: Config,
  { id, run, lines, timeoutMs, signal }: RunCheck,
  { worktree, mark }: { readonly worktree: string; readonly mark: string },
): Promise<RunCheckResult> {
  const { store, layout } = context;
  const noted: Promise<void>[] = [];
  try {
    // The commit is the work of agents of the run: if one of them has a sandbox, so must these lines.
    const of = Object.values(store.state.workers).flatMap((each) => (each.run?.id === run ? [each.name] : []));
    const failed = await runLines(context, config, { at: worktree, of }, lines, run, {
      log: layout.output(checkWorkerName(run), 'validate'),
      mark,
      signal,
      timeoutMs: timeoutMs ?? undefined,
      onProcess: (pid) => noted.push(rememberProcess(context, mark, pid).catch(() => undefined)),
    });
    // A line that was interrupted has failed for no reason of its own.
    if (failed !== undefined && (signal.aborted || context.signal.aborted)) throw new Error('interrupted');
    const result = toResult(failed);
    await Promise.all(noted);
    endCheck(store.database, id, result);
    fault('check:after-lines');
    return result;
  } catch (error) {
    forgetCheck(store.database, id);
    throw error;
  }
}

function toResult(failed: FailedLine | undefined): RunCheckResult {
  if (failed === undefined) return { passed: true, late: false, output: '' };
  const { line, reason, output, late } = failed;
  return { passed: false, late, output: `\`${line}\` failed (${reason}):\n${output}` };
}
