import { agentPane, isServer, type Pane } from './panes.ts';

/**
 * Where keys for a session go and what is captured of it: the agent's pane by its id, as last listed. In front of it a person may
 * have another pane or window. On the protocol channel people see the viewer and llmc presses no key, so the session itself is the place.
 */
export class AgentPlaces {
  readonly #panes = new Map<string, string>();

  note(panes: readonly Pane[]): void {
    this.#panes.clear();
    for (const session of new Set(panes.map((pane) => pane.session))) {
      const pane = agentPane(panes, session);
      if (pane !== undefined && !isServer(pane)) this.#panes.set(session, pane.id);
    }
  }

  /** A new session has another pane. */
  forget(session: string): void {
    this.#panes.delete(session);
  }

  of(session: string): string {
    return this.#panes.get(session) ?? session;
  }

  ofAll(sessions: readonly string[]): readonly string[] {
    return sessions.map((session) => this.of(session));
  }
}
