import type { Activity } from './activity.ts';

type Exited = Extract<Activity, { kind: 'exited' }>;

/** Ctrl-C, as a signal by number or name (tmux prints either, depending on the system) and as the status a shell makes of it. */
const INTERRUPT_SIGNAL = /^(?:2|(?:SIG)?INT)$/i;
const INTERRUPT_STATUS = 130;
/** SIGHUP and SIGTERM, handled: the agent was asked to end, and nothing says by whom. */
const ASKED_TO_END: readonly (number | null)[] = [129, 143];

/** Who ended an agent, from its exit status and signal. The only place that decides this. */
export function classifyExit(status: number | null, signal: string | null): Exited['how'] {
  if (signal !== null) return INTERRUPT_SIGNAL.test(signal) ? 'user' : 'crash';
  if (status === null || ASKED_TO_END.includes(status)) return 'unknown';
  return status === 0 || status === INTERRUPT_STATUS ? 'user' : 'crash';
}
