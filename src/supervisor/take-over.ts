import { LlmcError } from '../base/error.ts';
import { fault } from '../base/fault.ts';
import type { Clock, Instant } from '../base/ports.ts';
import type { Layout } from '../store/layout.ts';
import { ask, reachSupervisor } from './api/client.ts';
import { readOwner } from './ownership/owner-file.ts';
import { killUnresponsive } from './ownership/unresponsive.ts';
import { runningError } from './refuse-second-supervisor.ts';

export interface Successor {
  readonly version: string;
  /** When this process began: it does not replace a supervisor that is younger. */
  readonly begunAt: Instant;
  readonly clock: Clock;
  /** Not this process takes its place, but the service that starts it again. */
  readonly service?: boolean;
  readonly say: (line: string) => void;
}

/** How long a supervisor may take to finish the steps it is in. Its records allow an end at any moment, so it is killed then. */
const PATIENCE_MS = 30_000;

/**
 * Asks the root's supervisor to end without its agents, so that the caller can become the supervisor. One that cannot be asked, because
 * it is stopped, silent or too old, is killed: its agents live on in tmux, and its records say how far each prompt has come.
 */
export async function takeOver(layout: Layout, successor: Successor): Promise<void> {
  const { version, clock, say } = successor;
  const socket = await reachSupervisor(layout.apiSocket);
  if (socket === undefined) return;
  const owner = readOwner(layout.owner);
  const done = new AbortController();
  try {
    // Two commands that replace the same supervisor: the second one must not replace the first one.
    if (owner?.what === 'up' && (owner.since_ms ?? 0) > successor.begunAt) throw runningError(layout);
    const args = { pid: process.pid, version, ...(successor.service === true && { service: true }) };
    const asked = ask(socket, { version, name: 'handOver', args, say, ownerFile: layout.owner });
    await Promise.race([asked, lateAfter(clock, done.signal)]);
    say(`The supervisor${named(owner?.pid)} has handed over. Its agents keep running.`);
  } catch (error) {
    if (!(error instanceof LlmcError)) throw error;
    // It was stopped or killed meanwhile, so there is nobody to replace.
    if (error.code === 'SUPERVISOR_FAILED') return;
    if (error.code !== 'SUPERVISOR_OTHER_VERSION' && error.code !== 'SUPERVISOR_SILENT') throw error;
    // Another command has replaced it meanwhile: its successor is not the one that is silent.
    if (readOwner(layout.owner)?.pid !== owner?.pid) throw runningError(layout);
    killUnresponsive(layout.owner);
    say(`The supervisor${named(owner?.pid)} could not hand over, so it was killed. Its agents keep running.`);
  } finally {
    done.abort();
    socket.destroy();
  }
  fault('handover:after-asked');
}

async function lateAfter(clock: Clock, signal: AbortSignal): Promise<never> {
  await clock.sleep(PATIENCE_MS, signal);
  throw new LlmcError('SUPERVISOR_SILENT', `the supervisor has not handed over for ${PATIENCE_MS / 1_000} s`);
}

const named = (pid: number | undefined): string => (pid === undefined ? '' : `, process ${pid},`);
