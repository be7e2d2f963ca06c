import { constants } from 'node:os';
import type { Worker } from '../../store/state.ts';
import type { Outcome } from '../../store/tables/tasks.ts';
import type { Pane } from '../../terminal/panes.ts';
import { standing } from '../../workers/status/transitions.ts';

export const SESSION_STATES = [
  /** Its agent works. */
  'in_progress',
  /** Its agent asks something, or its account is at a limit. */
  'waiting',
  /** Its agent has nothing to do. */
  'idle',
  /** Ended on purpose: its run, or `llmc down`, ended it. */
  'stopped',
  /** Its agent ended with status 0. */
  'exited',
  /** Its agent ended with another status, or by a signal. */
  'crashed',
  /** It is gone without a trace. */
  'not_found',
  /** tmux did not answer. */
  'unknown',
] as const;
export type SessionState = (typeof SESSION_STATES)[number];

export interface SessionFacts {
  readonly worker: Pick<Worker, 'status' | 'status_before_offline' | 'run' | 'attention'>;
  /** Of the agent; undefined if there is none, null if tmux did not answer. */
  readonly pane: Pick<Pane, 'dead' | 'deadStatus' | 'deadSignal'> | undefined | null;
  /** What became of the last task that its run gave it. */
  readonly outcome: Outcome | undefined;
}

export interface SessionEnd {
  readonly state: SessionState;
  /** As a shell has it: 128 and the number of the signal. Null if it is not known. */
  readonly exitCode: number | null;
  /** The file with the last screen of an agent that ended. */
  readonly screen: string | null;
}

const ALIVE = (state: SessionState): SessionEnd => ({ state, exitCode: null, screen: null });

/** The session itself is the truth; without one, the record says why there is none. */
export function sessionState({ worker, pane, outcome }: SessionFacts): SessionEnd {
  if (pane === null) return ALIVE('unknown');
  const { attention } = worker;
  const screen = attention !== null && 'screen' in attention && typeof attention.screen === 'string' ? attention.screen : null;
  if (pane?.dead === true) {
    const exitCode = toExitCode(pane);
    return { state: exitCode === 0 ? 'exited' : 'crashed', exitCode, screen };
  }
  if (pane !== undefined) return ALIVE(judgeState(worker));
  if (outcome?.kind === 'crashed')
    return { state: outcome.how === 'not_found' ? 'not_found' : 'crashed', exitCode: outcome.status ?? null, screen: outcome.screen };
  if (attention?.kind === 'crashed' || attention?.kind === 'not_found') return { state: attention.kind, exitCode: null, screen };
  return ALIVE(worker.status === 'offline' ? 'stopped' : 'not_found');
}

function toExitCode({ deadStatus, deadSignal }: Pick<Pane, 'deadStatus' | 'deadSignal'>): number | null {
  if (deadSignal === null) return deadStatus;
  // tmux 3.3a prints the number of a signal or its name, such as `kill`.
  const known: Readonly<Record<string, number>> = constants.signals;
  const number = /^\d+$/.test(deadSignal) ? Number(deadSignal) : known[`SIG${deadSignal.replace(/^SIG/i, '').toUpperCase()}`];
  return number === undefined ? null : 128 + number;
}

function judgeState(worker: SessionFacts['worker']): SessionState {
  switch (standing(worker)) {
    case 'working':
    case 'rejected':
    case 'rebasing':
      return 'in_progress';
    case 'needs_input':
    case 'error':
      return 'waiting';
    default:
      return 'idle';
  }
}
