import type { Breaker, BreakerPolicy } from '../../recovery/decide-breaker.ts';
import type { EscalationType } from './escalation.ts';

/** The services behind the agents, over all runs of a root. */
export interface Providers extends BreakerPolicy {
  /** By account; one that is not there is closed. */
  readonly states: Readonly<Record<string, Breaker>>;
  /** The agent of `[defaults]`, for roles without one. */
  readonly defaultAgent: string;
  /** The account that an agent uses: a service that fails for one of its agents fails for all of them. */
  readonly accountOf: (agent: string) => string;
}

/** What is done when nobody answers, by the type of the question. */
export type DefaultAnswers = Partial<Readonly<Record<EscalationType, DefaultAnswer>>>;

export interface DefaultAnswer {
  readonly option: string;
  readonly afterMs: number;
}
