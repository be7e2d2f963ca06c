import type { ErrorCode } from '../../base/error-codes.ts';
import type { Instant } from '../../base/ports.ts';
import { type DegradationRule, decideContinuation, degradationRule, isAvailable } from '../../recovery/degradation.ts';
import type { ErrorRecord } from '../../recovery/error-record.ts';
import { agentsFor } from '../agents-file/agents-for.ts';
import type { Reaction, ReviewStage, WorkStage } from '../definition/plan.ts';
import type { LostAgent } from '../model/escalation.ts';
import type { Redo } from '../model/run.ts';
import type { RunStage } from '../model/stage-at.ts';
import { attempt } from './attempt.ts';
import { fallbackFor, missingFallback, nameAgent } from './breaker/provider.ts';
import { endWith } from './end-run.ts';
import { openEscalation } from './escalation.ts';
import { TRIGGER_OF } from './failure-trigger.ts';
import { roleView, whenUnavailable } from './level.ts';
import { describeLoss } from './loss.ts';
import { roleAt, takeSeat } from './seat.ts';
import { skip } from './skip.ts';
import type { Turn } from './turn.ts';

/** The agent of a role cannot go on. The fallback takes over in the same worktree; without one, the role has no agent any more. */
export function replaceAgent(turn: Turn, address: string, error: ErrorRecord): void {
  const stage = turn.stage(address);
  const role = roleAt(stage);
  if (role === undefined || (stage.kind !== 'work' && stage.kind !== 'review')) return endWith(turn, 'failed', error);
  const { agent, replaced } = turn.role(role, address);
  const missing = agent === 'own' ? missingFallback(turn, role, address) : error.code === 'AGENT_NOT_FOUND' ? error.message : undefined;
  if (missing === undefined) return goOnAfter(turn, { stage, role, error, fallback: fallbackFor(turn, role, address) });
  turn.warn(`The fallback of ${role} is left out: ${missing}.`);
  // The role's own agent is the one to try again, and its end is what the run has to report.
  const ended = agent === 'own' ? error : (replaced ?? error);
  turn.changeAgent(role, address, { agent: 'own', replaced: ended });
  goOnAfter(turn, { stage, role, error: ended, fallback: undefined, missing });
}

interface Gone {
  readonly stage: RunStage;
  readonly role: string;
  /** What ended the last agent that worked; null if none could be used from the beginning. */
  readonly error: ErrorRecord | null;
  /** The agent that can take over. */
  readonly fallback: string | undefined;
  /** Why the fallback could not be started. */
  readonly missing?: string;
}

function goOnAfter(turn: Turn, gone: Gone): void {
  const { stage, role, error, fallback } = gone;
  const address = stage.id;
  const continuation = decideContinuation(roleView(turn, role), fallback);
  if (continuation.kind === 'substitute' && error !== null) return takeOver(turn, stage, role, error, continuation.fallback);
  const listed = error === null ? undefined : leftOutAfter(stage, error.code);
  if (error !== null && listed !== undefined) {
    const mark = listed.mark ?? (stage.kind === 'review' ? 'unverified' : 'partial');
    skip(turn, address, error.message, mark);
    return turn.warn(`${address}: ${error.message}; marked ${mark}`);
  }
  turn.changeAgent(role, address, { unavailable: true });
  turn.note(address, continuation.why);
  switch (continuation.kind) {
    case 'skip': {
      const rule = ruleFor(turn, address, role);
      skip(turn, address, `no agent for ${role}`, rule?.mark ?? undefined);
      return turn.warn(rule?.message ?? continuation.why, describeLoss(turn, address, rule));
    }
    case 'ask':
      return askForAgent(turn, gone);
    default: {
      const rule = ruleFor(turn, address, role);
      endWith(turn, 'failed', error);
      return turn.warn(rule?.message ?? continuation.why, describeLoss(turn, address, rule));
    }
  }
}

/** A `skip` behind `substitute` in a list for crashes is about this stage alone: the role still has agents for other items. */
function leftOutAfter({ onFailure }: RunStage, code: ErrorCode): Extract<Reaction, { kind: 'skip' }> | undefined {
  if (TRIGGER_OF[code] !== 'crash') return undefined;
  const steps = onFailure.crash?.steps ?? [];
  const found = steps.find((_, index) => steps[index - 1]?.kind === 'substitute');
  return found?.kind === 'skip' ? found : undefined;
}

function takeOver(turn: Turn, stage: RunStage, role: string, error: ErrorRecord, fallback: string): void {
  const address = stage.id;
  if (stage.kind !== 'work' && stage.kind !== 'review') return endWith(turn, 'failed', error);
  turn.changeAgent(role, address, { agent: 'fallback', unavailable: false, replaced: error, ...whenBack(turn, error) });
  turn.changeStep(address, { failures: {}, tries: 0 });
  const { agent: name, attempts } = lostAgent(turn, role, address, 'own', error);
  const why =
    error.code === 'RATE_LIMITED' ? 'is at its usage limit' : `failed after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  turn.note(address, `${name} ${why}: ${fallback} takes over`);
  // A stage whose role had no agent any more was asked about before it had a worker.
  takeSeat(turn, address);
  attempt(turn, stage, 'fresh');
}

/** New work goes to the own agent again when its service had time to recover. The end of a usage limit is known elsewhere. */
function whenBack({ at, policy }: Turn, { code }: ErrorRecord): { readonly backMs?: Instant } {
  const isService = TRIGGER_OF[code] === 'network' && code !== 'RATE_LIMITED';
  return isService && policy.providers !== undefined ? { backMs: at + policy.providers.retryAfterMs } : {};
}

/** No agent can do the stage, which has not begun. The role's `when_unavailable` says whether the run goes on without. */
export function roleIsGone(turn: Turn, stage: WorkStage | ReviewStage, role: string): void {
  goOnAfter(turn, { stage, role, error: null, fallback: undefined });
}

/** What becomes of a step for whose role no agent is left after this failure: what `replaceAgent` does then. */
export function withoutAgent(turn: Turn, address: string, code: ErrorCode): 'skip' | 'ask' | 'abort' {
  const stage = turn.stage(address);
  const role = roleAt(stage);
  if (role === undefined || (stage.kind !== 'work' && stage.kind !== 'review')) return 'abort';
  const { agent, replaced } = turn.role(role, address);
  const ended = agent === 'fallback' && code === 'AGENT_NOT_FOUND' ? (replaced?.code ?? code) : code;
  if (leftOutAfter(stage, ended) !== undefined) return 'skip';
  const { kind } = decideContinuation(roleView(turn, role), undefined);
  return kind === 'skip' || kind === 'ask' ? kind : 'abort';
}

/** A role with a fallback has four choices, whether or not the fallback can be started here: a person may install it meanwhile. */
function askForAgent(turn: Turn, { stage, role, error, missing }: Gone): void {
  const address = stage.id;
  const { agent, replaced } = turn.role(role, address);
  const own = agent === 'own' ? error : replaced;
  const other = agent === 'own' ? null : error;
  const agents = [
    ...(own == null ? [] : [lostAgent(turn, role, address, 'own', own)]),
    ...(other === null ? [] : [lostAgent(turn, role, address, 'fallback', other)]),
    ...(missing === undefined ? [] : [{ agent: nameAgent(turn, role, address, 'fallback'), attempts: 0, why: missing }]),
  ];
  const failed = missing === undefined ? failedWords(agents) : `${failedWords(agents.slice(0, -1), 1)}; its fallback is not installed`;
  const said = error?.cause?.details?.trim() ?? '';
  openEscalation(turn, {
    type: agentsFor(turn.run, role, address).fallback === undefined ? 'unavailable' : 'crash',
    step: address,
    text: `No agent can work as ${role}${failed}.${said === '' ? '' : `\n${said}`}`,
    ...(agents.length > 0 && { lost: { agents, output: findOutput(error) } }),
  });
}

function failedWords(agents: readonly LostAgent[], from = 2): string {
  return agents.length < from ? '' : `: ${agents.map(({ agent }) => agent).join(' and then ')} failed`;
}

function lostAgent(turn: Turn, role: string, address: string, agent: 'own' | 'fallback', { context, message }: ErrorRecord): LostAgent {
  const attempts = typeof context.tries === 'number' ? context.tries : 1;
  return { agent: nameAgent(turn, role, address, agent) || 'its own agent', attempts, why: message };
}

/** The file with the last screen of an agent that ended. */
function findOutput(error: ErrorRecord | null): string | null {
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
  const role = { name, whenUnavailable: whenUnavailable(turn, name) };
  return degradationRule({ code: 'AGENT_CRASHED', role, ...(stage.kind === 'review' && { checks: stage.of }) });
}
