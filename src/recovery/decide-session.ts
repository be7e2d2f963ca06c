/** What the record of a worker and tmux say about a session, when the supervisor comes up. */
export interface SessionView {
  /** Its worker; undefined if no record has the session. `launched`: it has a conversation of its own, so an agent was started for it. */
  readonly worker: { readonly launched: boolean } | undefined;
  /** The pane of the agent. `foreign`: another program runs in a session of that name. `unknown`: tmux did not answer. */
  readonly pane: 'alive' | 'dead' | 'missing' | 'foreign' | 'unknown';
  /** Whether the living agent is that of the record. `unknown`: its environment could not be read. */
  readonly incarnation: 'same' | 'other' | 'unknown';
}

export interface SessionStep {
  /** `replace`: end what runs there, then start. `refuse`: start nothing and type nothing, because a second agent could run beside the first, or a person works there. */
  readonly kind: 'adopt' | 'start' | 'replace' | 'refuse' | 'leave' | 'nothing';
  readonly why: string;
}

/** Decides what happens to a session that a record names, or that tmux has, when the supervisor comes up. */
export function decideSession({ worker, pane, incarnation }: SessionView): SessionStep {
  if (pane === 'unknown') return { kind: 'refuse', why: 'tmux does not answer, which proves nothing about the agent' };
  if (worker === undefined) {
    if (pane === 'missing') return { kind: 'nothing', why: 'there is neither a session nor a worker' };
    return { kind: 'leave', why: 'it may be of use to a person' };
  }
  if (pane === 'foreign') return { kind: 'refuse', why: 'llmc did not open the session of that name: a person may work in it' };
  if (pane === 'missing') return { kind: 'start', why: 'its session is gone' };
  if (pane === 'dead') return { kind: 'start', why: 'its agent has ended' };
  // A supervisor that is killed while it replaces an agent leaves the old one running.
  if (!worker.launched) return { kind: 'replace', why: 'its agent was chosen and never started' };
  if (incarnation === 'other') return { kind: 'replace', why: 'the agent of an earlier start runs there' };
  return { kind: 'adopt', why: 'its session was still running' };
}
