import type { Activity } from './activity.ts';

type Exited = Extract<Activity, { kind: 'exited' }>;

/** Ctrl-C, as a signal by number or name (tmux prints either, depending on the system) and as the status a shell makes of it. */
const INTERRUPT_SIGNAL = /^(?:2|(?:SIG)?INT)$/i;
const INTERRUPT_STATUS = 130;
/** SIGHUP and SIGTERM, handled: the agent was asked to end, and nothing says by whom. */
const ASKED_TO_END: readonly (number | null)[] = [129, 143];

/** Signals that a program gets for its own fault or sends to itself, by number on Linux and macOS and by name. */
const OWN_FAULT = /^(?:4|5|6|7|8|10|11|(?:SIG)?(?:ILL|TRAP|ABRT|BUS|FPE|SEGV))$/i;
/** A shell and bubblewrap return this plus the number for a program that a signal ended. */
const SIGNALLED = 128;

/** Whether an agent ended by itself. A signal from outside, or a session that is gone, says nothing about the agent. */
export function endedByItself({ how, status, signal }: Exited): boolean {
  if (how === 'not_found') return false;
  if (signal !== null) return OWN_FAULT.test(signal);
  return status !== null && (status <= SIGNALLED || OWN_FAULT.test(String(status - SIGNALLED)));
}

/** Who ended an agent, from its exit status and signal. The only place that decides this. */
export function classifyExit(status: number | null, signal: string | null): Exited['how'] {
  if (signal !== null) return INTERRUPT_SIGNAL.test(signal) ? 'user' : 'crash';
  if (status === null || ASKED_TO_END.includes(status)) return 'unknown';
  return status === 0 || status === INTERRUPT_STATUS ? 'user' : 'crash';
}
