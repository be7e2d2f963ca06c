import type { Instant } from '../../base/ports.ts';
import {
  type DegradationRule,
  decideContinuation,
  degradationLevel,
  degradationRule,
  isAvailable,
  type RoleView,
} from '../../recovery/degradation.ts';
import type { ErrorRecord } from '../../recovery/error-record.ts';
import { agentsFor } from '../agents-file/agents-for.ts';
import type { LostAgent } from '../model/escalation.ts';
import { isOver, type Redo } from '../model/run.ts';
import { attempt } from './attempt.ts';
import { agentNameOf } from './breaker/provider.ts';
import { endWith } from './end-run.ts';
import { openEscalation } from './escalation.ts';
import { roleAt } from './seat.ts';
import { skip } from './skip.ts';
import { TRIGGER_OF } from './trigger-of.ts';
import type { Turn } from './turn.ts';

/** The fallback agent takes over in the same worktree; without one, the role has no agent any more. */
export function replaceAgent(turn: Turn, address: string, error: ErrorRecord): void {
  const stage = turn.stage(address);
  const role = roleAt(turn.stage(address));
  if (role === undefined || (stage.kind !== 'work' && stage.kind !== 'review')) return endWith(turn, 'failed', error);
  const { fallback } = agentsFor(turn.run, role, address);
  const { agent, replaced } = turn.role(role, address);
  if (agent === 'fallback' && error.code === 'AGENT_NOT_FOUND') {
    turn.warn(turn.run.level, `The fallback of ${role} is left out: ${error.message}.`);
    // The role's own agent is the one to try again, and its end is what the run has to report.
    turn.changeAgent(role, address, { agent: 'own', unavailable: true });
    return roleIsGone(turn, address, role, replaced ?? error);
  }
  if (fallback === undefined || agent === 'fallback') {
    turn.changeAgent(role, address, { unavailable: true });
    return roleIsGone(turn, address, role, error);
  }
  turn.changeAgent(role, address, { agent: 'fallback', unavailable: false, replaced: error, ...whenBack(turn, error) });
  turn.changeStep(address, { failures: {}, tries: 0 });
  const { agent: name, attempts } = lostAgent(turn, role, address, 'own', error);
  const why =
    error.code === 'RATE_LIMITED' ? 'is at its usage limit' : `failed after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  turn.note(address, `${name} ${why}: ${fallback} takes over`);
  attempt(turn, stage, 'fresh');
}

/** New work goes to the own agent again when its service had time to recover. The end of a usage limit is known elsewhere. */
function whenBack({ at, policy }: Turn, { code }: ErrorRecord): { readonly backMs?: Instant } {
  const isService = TRIGGER_OF[code] === 'network' && code !== 'RATE_LIMITED';
  return isService && policy.providers !== undefined ? { backMs: at + policy.providers.retryAfterMs } : {};
}

/** No agent can do the stage. The role's `when_unavailable` says whether the run goes on without. */
export function roleIsGone(turn: Turn, address: string, role: string, error: ErrorRecord | null = null): void {
  const continuation = decideContinuation({ ...viewOf(turn, role), hasFallback: false });
  turn.note(address, continuation.why);
  switch (continuation.kind) {
    case 'skip':
    case 'continue': {
      const rule = ruleFor(turn, address, role);
      skip(turn, address, `no agent for ${role}`, rule?.mark ?? undefined);
      return turn.warn(levelOf(turn), rule?.message ?? continuation.why);
    }
    case 'ask':
      return askForAgent(turn, address, role, error);
    default:
      endWith(turn, 'failed', error);
      return turn.warn('failed', ruleFor(turn, address, role)?.message ?? continuation.why);
  }
}

/** With a fallback that failed as well, a person chooses which of the two tries again. */
function askForAgent(turn: Turn, address: string, role: string, error: ErrorRecord | null): void {
  const { agent, replaced } = turn.role(role, address);
  const own = agent === 'own' ? error : replaced;
  const agents = [
    ...(own == null ? [] : [lostAgent(turn, role, address, 'own', own)]),
    ...(agent === 'own' || error === null ? [] : [lostAgent(turn, role, address, 'fallback', error)]),
  ];
  const failed = agents.length < 2 ? '' : `: ${agents.map((each) => each.agent).join(' and then ')} failed`;
  const said = error?.cause?.details?.trim() ?? '';
  openEscalation(turn, {
    ...{ type: agent === 'own' ? 'unavailable' : 'crash', step: address },
    text: `No agent can work as ${role}${failed}.${said === '' ? '' : `\n${said}`}`,
    ...(agents.length > 0 && { lost: { agents, output: outputOf(error) } }),
  });
}

function lostAgent(turn: Turn, role: string, address: string, agent: 'own' | 'fallback', { context, message }: ErrorRecord): LostAgent {
  const attempts = typeof context.tries === 'number' ? context.tries : 1;
  return { agent: agentNameOf(turn, role, address, agent) || 'its own agent', attempts, why: message };
}

/** The file with the last screen of an agent that ended. */
function outputOf(error: ErrorRecord | null): string | null {
  const output = error?.cause?.context.output;
  return typeof output === 'string' ? output : null;
}

/** A person lets an agent of the role try again, with its tries from zero. An agent that takes over begins a conversation of its own. */
export function tryAgain(turn: Turn, address: string, agent: 'own' | 'fallback'): Redo {
  const role = roleAt(turn.stage(address));
  const isSame = role === undefined || turn.role(role, address).agent === agent;
  if (role !== undefined) turn.changeAgent(role, address, { agent, unavailable: false });
  turn.changeStep(address, { tries: 0 });
  return { kind: 'attempt', conversation: isSame ? 'resume' : 'fresh' };
}

/** Whether an agent of the role can be used for the step. */
export function canWork(turn: Turn, role: string, address: string): boolean {
  return isAvailable(role, [{ name: role, unavailable: turn.role(role, address).unavailable }]);
}

function ruleFor(turn: Turn, address: string, name: string): DegradationRule | undefined {
  const stage = turn.stage(address);
  const role = { name, whenUnavailable: turn.run.plan.roles[name]?.whenUnavailable ?? 'ask' };
  return degradationRule({ code: 'AGENT_CRASHED', role, ...(stage.kind === 'review' && { checks: stage.of }) });
}

export function levelOf(turn: Turn) {
  const skipped = Object.values(turn.run.steps).filter(({ state, marks }) => state.kind === 'skipped' && marks.length > 0);
  return degradationLevel(
    Object.keys(turn.run.plan.roles).map((role) => viewOf(turn, role)),
    skipped.length,
  );
}

function viewOf(turn: Turn, name: string): RoleView {
  const { whenUnavailable = 'ask', fallback } = turn.run.plan.roles[name] ?? {};
  const { agent, unavailable } = turn.role(name);
  const remainingStages = Object.values(turn.run.steps)
    .filter((step) => roleAt(turn.stage(step.address)) === name && !isOver(step))
    .map(({ address }) => address);
  return {
    name,
    optional: whenUnavailable === 'skip',
    unavailable,
    remainingStages,
    hasFallback: fallback !== undefined && agent === 'own',
    whenUnavailable,
  };
}
