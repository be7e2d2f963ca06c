import type { Agent } from '../../src/agents/agent.ts';
import type { Session, Situation, Size } from './situation.ts';

/** Knows one CLI: its situations, and how to start it for one of them. */
export interface Driver extends AsyncDisposable {
  readonly agent: Agent;
  /** Whether its terminal's title is part of the recording. */
  readonly titled: boolean;
  readonly situations: readonly Situation[];
  open(situation: string, size: Size): Promise<Session>;
}
