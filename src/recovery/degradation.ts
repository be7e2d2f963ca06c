import type { ErrorCode } from '../base/error-codes.ts';

/** How much of a workflow is left: everything, something lost, every optional role lost, nothing. */
export const DEGRADATION_LEVELS = ['full', 'reduced', 'minimal', 'failed'] as const;
export type DegradationLevel = (typeof DEGRADATION_LEVELS)[number];

export interface RoleView {
  readonly name: string;
  readonly optional: boolean;
  readonly unavailable: boolean;
  /** Stages that have not ended and need an agent in this role. */
  readonly remainingStages: readonly string[];
  readonly whenUnavailable: 'ask' | 'skip' | 'stop';
}

/** The level that follows from the roles that are lost and from how much is missing otherwise, such as stages that were skipped. */
export function degradationLevel(roles: readonly RoleView[], missing: number): DegradationLevel {
  const lost = roles.filter((role) => role.unavailable);
  // About another role that the workflow needs, a person decides at each of its stages: the run goes on.
  if (lost.some((role) => role.whenUnavailable === 'stop' && role.remainingStages.length > 0)) return 'failed';
  const optional = roles.filter((role) => role.optional);
  if (optional.length > 0 && optional.every((role) => role.unavailable)) return 'minimal';
  return lost.length > 0 || missing > 0 ? 'reduced' : 'full';
}

export type Continuation =
  | { readonly kind: 'substitute'; readonly fallback: string; readonly why: string }
  | { readonly kind: 'skip'; readonly stages: readonly string[]; readonly why: string }
  | { readonly kind: 'ask'; readonly why: string }
  | { readonly kind: 'stop'; readonly why: string };

/**
 * Decides how a workflow continues when a role's agent cannot be used. The stage that it leaves is one of those that remain, so the case
 * that nothing needs the role does not occur.
 *
 * @param fallback the agent that can take over.
 */
export function decideContinuation({ name, remainingStages, whenUnavailable }: RoleView, fallback: string | undefined): Continuation {
  if (fallback !== undefined) return { kind: 'substitute', fallback, why: `${name} has the fallback ${fallback}` };
  if (whenUnavailable === 'skip') return { kind: 'skip', stages: remainingStages, why: `the workflow can do without ${name}` };
  if (whenUnavailable === 'stop') return { kind: 'stop', why: `the workflow cannot do without ${name}` };
  return { kind: 'ask', why: `a person decides whether the workflow does without ${name}` };
}

/** What was lost: a role whose agents crashed or cannot start, a review without an end, or the time of the run. */
export interface DegradationLoss {
  readonly code: ErrorCode;
  readonly role?: Pick<RoleView, 'name' | 'whenUnavailable'>;
  /** The stage that the role would have checked; without it, the role makes something. */
  readonly checks?: string;
}

export interface DegradationRule {
  readonly impact: string;
  readonly mitigation: string;
  /** What stands on the output from now on. */
  readonly mark: 'unverified' | 'partial' | null;
  readonly message: string;
}

/** What a loss means for the user. Undefined: nothing is lost yet, because the failure can still be recovered from. */
export function degradationRule({ code, role, checks }: DegradationLoss): DegradationRule | undefined {
  if (code === 'MAX_ITERATIONS')
    return {
      impact: 'the review is not complete',
      mitigation: 'the last version is used',
      mark: 'partial',
      message: 'The review reached its last round. The last version is used and marked partial.',
    };
  if (code === 'WORKFLOW_TIMEOUT')
    return {
      impact: 'the run is not complete',
      mitigation: 'what is there is kept',
      mark: 'partial',
      message: 'The run took longer than it may. What its agents had left is kept.',
    };
  return role === undefined ? undefined : roleRule(role, checks);
}

function roleRule({ name, whenUnavailable }: NonNullable<DegradationLoss['role']>, checks: string | undefined): DegradationRule {
  if (whenUnavailable === 'stop')
    return {
      impact: `nothing can be done as ${name}`,
      mitigation: 'the run ends, and what is there is kept',
      mark: 'partial',
      message: `No agent can work as ${name}. The run ends, and what is there is kept.`,
    };
  if (checks !== undefined)
    return {
      impact: `nothing can be checked as ${name}`,
      mitigation: `${checks} is marked unverified`,
      mark: 'unverified',
      message: `No agent can work as ${name}. The result of ${checks} is not verified.`,
    };
  const asked = whenUnavailable === 'ask' ? 'a person is asked whether to skip its stages' : 'its stages are skipped';
  return {
    impact: `nothing can be done as ${name}`,
    mitigation: asked,
    mark: 'partial',
    message: `No agent can work as ${name}. ${asked.charAt(0).toUpperCase()}${asked.slice(1)}.`,
  };
}

/** The roles that still have an agent. */
export function availableCapabilities(roles: readonly Pick<RoleView, 'name' | 'unavailable'>[]): readonly string[] {
  return roles.filter(({ unavailable }) => !unavailable).map(({ name }) => name);
}

export function isAvailable(capability: string, roles: readonly Pick<RoleView, 'name' | 'unavailable'>[]): boolean {
  return availableCapabilities(roles).includes(capability);
}

export interface Degradation {
  readonly level: DegradationLevel;
  readonly unavailableRoles: readonly string[];
  readonly skippedStages: readonly string[];
  /** Results with a mark, such as `unverified`. */
  readonly markedOutputs: Readonly<Record<string, readonly string[]>>;
  readonly warnings: readonly string[];
  readonly losses: readonly LossWords[];
}

interface LossWords {
  readonly step: string | null;
  readonly impact: string;
  readonly mitigation: string;
}

const LEVEL_TEXT: Readonly<Record<DegradationLevel, string>> = {
  full: 'Everything was done as planned.',
  reduced: 'Reduced: something is missing.',
  minimal: 'Minimal: no optional role is left.',
  failed: 'Failed: the workflow cannot go on.',
};

/** What a person should know about the results of a run, line by line. */
export function degradationSummary({
  level,
  unavailableRoles,
  skippedStages,
  markedOutputs,
  warnings,
  losses,
}: Degradation): readonly string[] {
  const marked = Object.entries(markedOutputs).filter(([, marks]) => marks.length > 0);
  return [
    // A run of an older llmc may lack something and have the level `full`.
    LEVEL_TEXT[level === 'full' && losses.length > 0 ? 'reduced' : level],
    ...(unavailableRoles.length === 0 ? [] : [`No agent: ${unavailableRoles.join(', ')}`]),
    ...(skippedStages.length === 0 ? [] : [`Skipped: ${skippedStages.join(', ')}`]),
    ...marked.map(([stage, marks]) => `${stage}: ${marks.join(', ')}`),
    ...warnings,
    ...losses.map(lossText),
  ];
}

/** What is missing, and how the run goes on. */
export function lossText({ step, impact, mitigation }: LossWords): string {
  return `Impact${step === null ? '' : ` of ${step}`}: ${impact}. Mitigation: ${mitigation}.`;
}
