import { ERROR_CODES, type ErrorCode } from '../base/error-codes.ts';
import { isRetryable, RETRY_TABLE, type RetryOperation, type RetryTable, retryDelayMs } from './retry/retry.ts';

/** What can follow a failure in a run. */
export const STRATEGIES = ['retry', 'restart', 'skip', 'substitute', 'rollback', 'ask', 'abort'] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** How a strategy is carried out, and for which ones it counts. The failure is always logged. */
const ACTIONS = {
  /** The agent is asked how far it is, and has 30 s. */
  nudge: ['retry'],
  /** The agent is told what is wrong with its output. */
  say_problems: ['retry'],
  /** What is left of the session is ended first. A fallback has a session of its own, and gets it after the other one has ended. */
  end_session: ['retry', 'restart'],
  /** The output says that it is not complete. */
  mark_partial: ['skip'],
} as const satisfies Readonly<Record<string, readonly Strategy[]>>;

export type StrategyAction = keyof typeof ACTIONS;

export interface StrategyRow {
  readonly code: ErrorCode;
  /** Whether a run may go on with results that are not complete. Without it, the row always counts. */
  readonly when?: 'partial_allowed' | 'partial_refused';
  readonly strategy: Strategy;
  /** How often, or the operation whose retry settings say so and give the waits. */
  readonly attempts: number | RetryOperation | 'default';
  /** Takes effect once the attempts are used up. */
  readonly fallback: Strategy | null;
  /** From which failure on the fallback agent of the role takes over, if it has one: another service may answer. */
  readonly substituteFrom?: number;
  readonly delayMs: number;
  readonly actions: readonly StrategyAction[];
}

const row = (code: ErrorCode, strategy: Strategy, given: Partial<StrategyRow> = {}): StrategyRow => ({
  code,
  strategy,
  attempts: 1,
  fallback: null,
  delayMs: 0,
  actions: [],
  ...given,
});

/**
 * What follows a failure of a step, by its code. The first row that counts is taken. Failures that belong to no step are not here: a run
 * that takes too long ends, and a message that nobody can get is a dead letter. docs/workflow-failures.md prints all of them.
 */
export const STRATEGY_ROWS: readonly StrategyRow[] = [
  row('AGENT_TIMEOUT', 'retry', { attempts: 2, fallback: 'restart', actions: ['nudge'] }),
  // Two tries for each agent of a role: one that crashed twice with the same task seldom comes through the third time.
  row('AGENT_CRASHED', 'restart', { fallback: 'substitute', delayMs: 2_000, actions: ['end_session'] }),
  row('AGENT_SPAWN_FAILED', 'restart', { attempts: 'agentSpawn', fallback: 'substitute', actions: ['end_session'] }),
  // Another start would end in the same way.
  row('AGENT_NOT_FOUND', 'substitute'),
  row('AGENT_UNUSABLE', 'substitute'),
  row('DELIVERY_FAILED', 'restart', { fallback: 'substitute', actions: ['end_session'] }),
  row('AGENT_INVALID_OUTPUT', 'retry', { attempts: 2, fallback: 'ask', actions: ['say_problems'] }),
  row('RATE_LIMITED', 'retry', { attempts: 'rateLimited', fallback: 'abort', substituteFrom: 1 }),
  // The CLI has tried for minutes by itself (Claude Code 2.1: ten times in three minutes). Without a fallback, an outage of an hour needs no person.
  row('CLAUDE_API_ERROR', 'retry', { attempts: 'service', fallback: 'ask', substituteFrom: 2 }),
  row('NETWORK_ERROR', 'retry', { attempts: 'service', fallback: 'ask', substituteFrom: 2 }),
  row('MAX_ITERATIONS', 'skip', { when: 'partial_allowed', actions: ['mark_partial'] }),
  row('MAX_ITERATIONS', 'ask', { when: 'partial_refused' }),
  row('TMUX_SESSION_FAILED', 'retry', { attempts: 2, fallback: 'abort', delayMs: 1_000, actions: ['end_session'] }),
  // Making a worktree removes what is half-made, also when it fails.
  row('GIT_WORKTREE_FAILED', 'retry', { attempts: 2, fallback: 'abort' }),
  row('BUDGET_SPENT', 'ask'),
  row('DATABASE_ERROR', 'retry', { attempts: 'databaseWrite', fallback: 'ask' }),
];

export interface StrategyLimits {
  /** Recoveries from one kind of failure in one step, by one agent, for rows with a number of attempts. */
  readonly perError: number;
  readonly inTotal: number;
  /** The shortest time between two recoveries of one step. */
  readonly coolDownMs: number;
}

export const STRATEGY_LIMITS: StrategyLimits = { perError: 3, inTotal: 10, coolDownMs: 5_000 };

export interface StrategyPolicy {
  readonly limits: StrategyLimits;
  readonly retry: RetryTable;
  readonly allowPartial: boolean;
}

export const STRATEGY_POLICY: StrategyPolicy = { limits: STRATEGY_LIMITS, retry: RETRY_TABLE, allowPartial: true };

export interface StrategyView {
  readonly code: ErrorCode;
  /** How often this kind of failure occurred in this step before, with the agent in use. */
  readonly before: number;
  /** Recoveries of the run so far. */
  readonly total: number;
  /** Whether the role has a fallback that has not taken over yet. */
  readonly hasFallback?: boolean;
  /** How long ago the step last recovered. */
  readonly sinceLastMs: number | null;
  /** 0 to 1, drawn at random. */
  readonly chance: number;
}

export interface ChosenStrategy {
  readonly strategy: Strategy;
  readonly delayMs: number;
  readonly actions: readonly StrategyAction[];
  readonly why: string;
}

/** Picks what follows a failure for which the workflow file names nothing. */
export function chooseStrategy(view: StrategyView, policy: StrategyPolicy = STRATEGY_POLICY): ChosenStrategy {
  const { limits } = policy;
  const found = chooseRow(view.code, policy);
  const attempts = countAttempts(found, policy);
  const isReplaced = view.hasFallback === true && view.before + 1 >= (found.substituteFrom ?? Number.POSITIVE_INFINITY);
  const isFallback = isReplaced || view.before >= attempts;
  const strategy = isReplaced ? 'substitute' : isFallback ? (found.fallback ?? found.strategy) : found.strategy;
  const chosen = { strategy, actions: pickActions(found, strategy), why: `${view.code}, failure ${view.before + 1}` };
  if (!costsARecovery(strategy)) return { ...chosen, delayMs: 0 };
  if (view.total >= limits.inTotal) return ask(`the run recovered ${view.total} times, its limit`);
  const most = typeof found.attempts === 'number' ? limits.perError : attempts + 1;
  if (view.before >= most) return ask(`${view.code} occurred ${view.before + 1} times`);
  const coolingMs = view.sinceLastMs === null ? 0 : Math.max(0, limits.coolDownMs - view.sinceLastMs);
  return { ...chosen, delayMs: Math.max(isFallback ? 0 : measureDelay(found, view, policy), coolingMs) };
}

/** For a code without a row: a failure that may pass, or that the configuration names, is tried again. Anything else needs a person. */
function chooseRow(code: ErrorCode, { allowPartial, retry }: StrategyPolicy): StrategyRow {
  const refused = allowPartial ? 'partial_refused' : 'partial_allowed';
  const found = STRATEGY_ROWS.find((one) => one.code === code && one.when !== refused);
  if (found !== undefined) return found;
  const mayPass = ERROR_CODES[code].retryable || isRetryable({ code }, retry.default);
  return mayPass ? row(code, 'retry', { attempts: 'default', fallback: 'ask' }) : row(code, 'ask');
}

function countAttempts({ attempts }: StrategyRow, { retry, limits }: StrategyPolicy): number {
  return typeof attempts === 'number' ? Math.min(attempts, limits.perError) : retry[attempts].maxRetries;
}

function measureDelay(
  { attempts, delayMs }: StrategyRow,
  { before, chance }: Pick<StrategyView, 'before' | 'chance'>,
  { retry }: StrategyPolicy,
): number {
  return typeof attempts === 'number' ? delayMs : retryDelayMs(before + 1, retry[attempts], chance);
}

function pickActions({ actions }: StrategyRow, strategy: Strategy): readonly StrategyAction[] {
  return actions.filter((action) => ACTIONS[action].some((one) => one === strategy));
}

/** How a strategy that a workflow file names is carried out: as if the table had chosen it. A code without a row needs no wait. */
export function manner(
  { code, before, chance }: Pick<StrategyView, 'code' | 'before' | 'chance'>,
  strategy: Strategy,
  policy: StrategyPolicy,
): Pick<ChosenStrategy, 'delayMs' | 'actions'> {
  const found = STRATEGY_ROWS.find((one) => one.code === code) ?? row(code, strategy);
  const isAgain = strategy === 'retry' || strategy === 'restart';
  return { delayMs: isAgain ? measureDelay(found, { before, chance }, policy) : 0, actions: pickActions(found, strategy) };
}

function ask(why: string): ChosenStrategy {
  return { strategy: 'ask', delayMs: 0, actions: [], why };
}

/** Whether a strategy tries to go on with the same stage, and so counts against the limits. */
export function costsARecovery(strategy: string | null): boolean {
  return strategy === 'retry' || strategy === 'restart' || strategy === 'substitute' || strategy === 'rollback';
}
