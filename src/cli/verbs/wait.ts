import { parseDuration } from '../../base/duration.ts';
import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { findWorker } from '../../store/find-worker.ts';
import { readStateLeniently } from '../../store/read-state-leniently.ts';
import { STATUSES, type Status } from '../../store/statuses.ts';
import type { ResultOf } from '../../supervisor/api/operations.ts';
import { callsForAPerson } from '../../supervisor/report/notified.ts';
import { predicateFor } from '../../workers/status/status-words.ts';
import type { RunView } from '../../workflow/view/run-view.ts';
import { ringFor } from '../bell.ts';
import type { Shell } from '../shell.ts';
import { defineVerb, type Input } from '../verb.ts';

const NEEDS_YOU = 'needs_review,needs_input,error';

type Reached = ResultOf<'wait'> | RunView;

export const wait = defineVerb<Reached | readonly Reached[]>({
  name: 'wait',
  summary: 'wait until workers or runs have a status',
  description:
    'For scripts. Several workers or runs: returns when each of them has had the status; with --json, a list. With --any it returns as soon as one worker has it, and says which. The exit status is 3 if the status is not reached in time. The statuses of a run are running, waiting (for a person), paused, done, failed and aborted.',
  arguments: [{ syntax: '[worker|run...]', about: 'the workers or runs; with --any and no name: all workers' }],
  options: [
    {
      flags: '--for <statuses>',
      about: `the statuses, comma-separated (default: ${NEEDS_YOU}, and idle if you name the worker; of a run: all but running)`,
    },
    { flags: '--any', about: 'return at the first worker that has the status' },
    { flags: '--timeout <duration>', about: 'how long to wait (default: 24h)' },
  ],
  examples: [
    'llmc wait adam --for needs_review --timeout 30m',
    'llmc wait adam baker',
    'llmc wait --any --for needs_review',
    'llmc wait swarm-1 --for done,failed',
  ],
  interrupted: () => 'Stopped waiting. The work continues: llmc status, llmc runs',
  async run(input, shell) {
    const timeoutMs = parseDuration(input.text('timeout') ?? '24h');
    if (input.flag('any')) return await waitForAny(input, shell, timeoutMs);
    const names = [...new Set(input.args)];
    if (names.length === 0)
      throw new LlmcError('INVALID_ARGUMENT', 'name the workers or runs to wait for', { hint: 'llmc wait adam, or llmc wait --any' });
    const each = await eachWait(names, input.text('for'), shell);
    const until = Date.now() + timeoutMs;
    const reached: Reached[] = [];
    // One after the other: a failure then leaves no open request behind that would keep this process alive.
    for (const waitForIt of each) reached.push(await waitForIt(Math.max(0, until - Date.now())));
    const [only] = reached;
    return only !== undefined && reached.length === 1 ? only : reached;
  },
  async text(result) {
    const { reachedText } = await import('../runs/wait-for-run.ts');
    const lines = [result].flat().map((reached) => ('workflow' in reached ? reachedText(reached) : workerText(reached)));
    return lines.join('\n');
  },
});

function workerText({ name, status, attention, attention_kind }: ResultOf<'wait'>): string {
  return `${name} ${predicateFor({ status, attention_kind })}.${attention === null ? '' : ` ${attention}`}`;
}

/** Checks all names and statuses first: a typo in the second must not be found hours later. */
async function eachWait(names: readonly string[], statuses: string | undefined, shell: Shell) {
  const { isRun, requireName } = await import('../runs/is-run.ts');
  const waits: ((timeoutMs: number) => Promise<Reached>)[] = [];
  for (const name of names) {
    if (await isRun(shell, name)) {
      const { runStatuses, waitForRun } = await import('../runs/wait-for-run.ts');
      const wanted = runStatuses(statuses);
      waits.push(async (timeoutMs) => await waitForRun(shell, name, wanted, timeoutMs));
    } else {
      await requireName(shell, name);
      if (names.length > 1) findWorker(readStateLeniently(shell.layout), name);
      const wanted = workerStatuses(statuses ?? `${NEEDS_YOU},idle`);
      waits.push(
        async (timeoutMs) =>
          await rungFor(shell, await shell.call('wait', { worker: name, statuses: wanted, timeoutMs, inWords: !shell.options.json })),
      );
    }
  }
  return waits;
}

async function waitForAny(input: Input, shell: Shell, timeoutMs: number): Promise<Reached> {
  const workers = [...new Set(input.args)];
  const { isRun, requireName } = await import('../runs/is-run.ts');
  for (const name of workers) {
    if (await isRun(shell, name))
      throw new LlmcError('INVALID_ARGUMENT', `--any is for workers, and ${name} is a run`, { hint: commandLine('llmc', 'wait', name) });
    await requireName(shell, name);
  }
  // Without names, an idle worker would end each wait at once.
  const statuses = workerStatuses(input.text('for') ?? (workers.length === 0 ? NEEDS_YOU : `${NEEDS_YOU},idle`));
  return await rungFor(shell, await shell.call('waitAny', { workers, statuses, timeoutMs, inWords: !shell.options.json }));
}

async function rungFor(shell: Shell, reached: ResultOf<'wait'>): Promise<ResultOf<'wait'>> {
  if (callsForAPerson(reached.status)) await ringFor(shell, reached.name);
  return reached;
}

function workerStatuses(words: string): Status[] {
  return words.split(',').map((each) => {
    const word = each.trim();
    const status = STATUSES.find((known) => known === word);
    if (status === undefined)
      throw new LlmcError('INVALID_ARGUMENT', `there is no status "${word}"`, { hint: `Use: ${STATUSES.join(', ')}` });
    return status;
  });
}
