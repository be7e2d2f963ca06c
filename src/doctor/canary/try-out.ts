import { describeError, LlmcError } from '../../base/error.ts';
import { type Canary, type CanaryCheck, hasPassed } from '../../store/findings/canaries.ts';
import type { Layout } from '../../store/layout.ts';
import { channelTried } from './channel-tried.ts';
import { findMeaning } from './questions.ts';
import { type CanaryOptions, runCanary } from './run.ts';
import type { ChannelUsed, StagePorts } from './stage.ts';
import type { TrialCandidate } from './trials.ts';

/** The result of one canary, as `--json` prints it. */
export interface TriedOut {
  readonly agent: string;
  readonly adapter: string;
  readonly version: string | null;
  readonly outcome: 'passed' | 'failed' | 'not_run';
  /** Why it did not run. */
  readonly why: string | null;
  /** The channel that the canary used, for an agent with two. */
  readonly way: ChannelUsed | null;
  readonly checks: readonly (CanaryCheck & { /** What a failed check means for llmc. */ readonly means: string | null })[];
}

/** Runs the canaries one after the other, because each starts a whole agent. A canary that cannot run does not stop the next. */
export async function tryOut(
  candidates: readonly TrialCandidate[],
  layout: Layout,
  ports: StagePorts,
  options: CanaryOptions & { readonly report: (line: string) => void },
): Promise<readonly TriedOut[]> {
  const tried: TriedOut[] = [];
  for (const candidate of candidates) tried.push(await tryOne(candidate, layout, ports, options));
  return tried;
}

async function tryOne(
  candidate: TrialCandidate,
  layout: Layout,
  ports: StagePorts,
  options: CanaryOptions & { readonly report: (line: string) => void },
): Promise<TriedOut> {
  const { name, adapter } = candidate;
  const notRun = (why: string, version: string | null): TriedOut => ({
    agent: name,
    adapter,
    version,
    outcome: 'not_run',
    why,
    way: null,
    checks: [],
  });
  if ('problem' in candidate) return notRun(candidate.problem, null);
  const { trial } = candidate;
  options.report(`Trying out ${name} ${trial.version} …`);
  try {
    const canary = await runCanary(layout, trial, ports, options);
    if (canary === undefined) return notRun('another canary of this root is at work', trial.version);
    return { agent: name, adapter, version: trial.version, why: null, way: channelTried(canary), ...judgeOutcome(canary) };
  } catch (error) {
    if (options.signal.aborted)
      throw new LlmcError('CANCELLED', 'interrupted; the canary left nothing behind', { hint: 'llmc doctor --canary', cause: error });
    return notRun(describeError(error), trial.version);
  }
}

function judgeOutcome(canary: Canary): Pick<TriedOut, 'outcome' | 'checks'> {
  const checks = canary.checks.map((check) => ({
    ...check,
    means: check.verdict === 'failed' ? (findMeaning(check.name) ?? null) : null,
  }));
  return { outcome: hasPassed(canary) ? 'passed' : 'failed', checks };
}
