import { type ErrorJson, LlmcError } from '../../base/error.ts';
import { readGreeting } from '../../supervisor/api/client.ts';
import type { Readiness } from '../../supervisor/api/readiness.ts';
import { readOwner } from '../../supervisor/ownership/owner-file.ts';
import { requireRoot } from '../../supervisor/ownership/require-root.ts';
import { takeOver } from '../../supervisor/take-over.ts';
import { systemClock } from '../../system/clock.ts';
import { startDetached } from '../../system/processes/detached.ts';
import { SMALL_YOUNG_GENERATION } from '../../system/processes/young-generation.ts';
import { isInstalled } from '../service/run-service.ts';
import type { Shell } from '../shell.ts';
import { askSupervisorIfAny } from './owner.ts';

export interface UpResult {
  readonly root: string;
  readonly pid: number | null;
  readonly since_unix: number | null;
  /** The supervisor was running before this command, so none was started. */
  readonly already_running: boolean;
  /** The supervisor whose place this one took, with --replace. */
  readonly replaced: number | null;
  readonly workers: readonly Readiness[];
}

const POLL_MS = 30;
/** A slow start is not a failure while the process lives: the wait for the root's lock alone takes up to 15 s. */
const PATIENCE_MS = 120_000;

/** Starts `llmc up` in the background, unless it already runs, and waits until each worker is ready or has reported why it is not. */
export async function upDetached(shell: Shell, replace: boolean): Promise<UpResult> {
  const { layout } = shell;
  requireRoot(layout);
  const running = replace ? undefined : await readyResult(shell, { already_running: true, replaced: null });
  if (running !== undefined) return running;
  const before = replace ? await supervisorPid(shell) : undefined;
  // A supervisor of a service is started again by its service, with the llmc that is installed now.
  const service = before === undefined ? undefined : readOwner(layout.owner)?.service;
  if (before !== undefined && service !== undefined && isInstalled(service)) return await replaceByService(shell, before, service);
  const flags = [
    ...(replace ? ['--replace'] : []),
    ...(shell.options.patrol ? [] : ['--no-patrol']),
    ...(shell.options.verbose ? ['--verbose'] : []),
  ];
  const script = process.argv[1] ?? '';
  const child = startDetached(
    [process.execPath, SMALL_YOUNG_GENERATION, script, 'up', '--json', '--root', shell.root, ...flags],
    layout.log('llmc'),
  );
  const deadline = systemClock.now() + PATIENCE_MS;
  for (;;) {
    // Before the question who runs: a child also ends because another one, started in the same moment, was first.
    const ended = child.ended();
    const now = await supervisorPid(shell);
    if (now !== undefined && now !== before) break;
    if (ended !== undefined) throw whyItEnded(ended, layout.log('llmc'));
    if (systemClock.now() > deadline)
      throw new LlmcError('SUPERVISOR_FAILED', 'the supervisor does not answer', { hint: `Its log: ${layout.log('llmc')}` });
    await systemClock.sleep(POLL_MS);
  }
  child.release();
  const started = await readyResult(shell, { already_running: false, replaced: before ?? null });
  if (started !== undefined) return started;
  throw new LlmcError('SUPERVISOR_FAILED', 'the supervisor stopped right after it started', { hint: `Its log: ${layout.log('llmc')}` });
}

async function replaceByService(shell: Shell, before: number, service: string): Promise<UpResult> {
  const { layout, options, say } = shell;
  await takeOver(layout, { version: options.version, begunAt: performance.timeOrigin, clock: systemClock, say, service: true });
  const deadline = systemClock.now() + PATIENCE_MS;
  while (systemClock.now() < deadline) {
    const now = await supervisorPid(shell);
    const started =
      now === undefined || now === before ? undefined : await readyResult(shell, { already_running: false, replaced: before });
    if (started !== undefined) return started;
    await systemClock.sleep(POLL_MS);
  }
  throw new LlmcError('SUPERVISOR_FAILED', `the service ${service} has not started the supervisor again`, {
    hint: 'llmc service status shows the service; llmc up --detach starts the supervisor without it',
  });
}

/** Undefined if no supervisor runs. One that does not greet is named by its file. */
async function supervisorPid({ layout }: Shell): Promise<number | undefined> {
  const greeting = await readGreeting(layout.apiSocket, layout.owner).catch(() => 'silent' as const);
  if (greeting === 'silent') return readOwner(layout.owner)?.pid;
  return greeting !== undefined && 'hello' in greeting ? greeting.hello : undefined;
}

/** Undefined if no supervisor runs, or if it stops during the request: the socket of a supervisor that was just killed still accepts connections. */
async function readyResult(shell: Shell, how: Pick<UpResult, 'already_running' | 'replaced'>): Promise<UpResult | undefined> {
  const silent = (error: LlmcError) => {
    throw error;
  };
  const ready = await askSupervisorIfAny(shell, 'ready', {}, silent);
  const status = ready && (await askSupervisorIfAny(shell, 'status', {}, silent));
  if (ready === undefined || status === undefined) return undefined;
  const { pid, since_unix } = status.result.supervisor;
  return { root: shell.root, pid, since_unix, ...how, workers: ready.result };
}

/** The error that ended the process: with `--json` it is the last thing that `llmc up` prints. */
function whyItEnded(output: string, log: string): LlmcError {
  try {
    const { error }: { error: ErrorJson } = JSON.parse(output.slice(output.lastIndexOf('{\n  "error": {')));
    return LlmcError.fromJSON(error);
  } catch {
    return new LlmcError('SUPERVISOR_FAILED', 'the supervisor did not start', { hint: `Its log: ${log}`, details: output });
  }
}
