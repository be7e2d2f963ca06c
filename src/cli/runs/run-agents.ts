import { visibleLine } from '../../base/visible-text.ts';
import type { WorkerReport } from '../../supervisor/report/status-report.ts';
import { checkWorkerName } from '../../workflow/model/run-names.ts';
import type { RunView } from '../../workflow/view/run-view.ts';
import { askSupervisorIfAny } from '../owner/owner.ts';
import type { Shell } from '../shell.ts';
import { countedTokens, tokensText } from '../text/usage-text.ts';
import { withProgress } from './with-progress.ts';

/** An agent of a run, with what its conversation has used. */
export interface AgentView {
  readonly worker: string;
  readonly role: string;
  readonly agent: string;
  readonly resting: boolean;
  readonly tokens: number | null;
  readonly cost_usd: number | null;
}

export interface ShownRun extends RunView {
  /** Null without a supervisor, which alone knows what agents do. */
  readonly agents: readonly AgentView[] | null;
  readonly supervised: boolean;
  /** What stops the supervisor from working, such as a full disk. */
  readonly problems: readonly string[];
}

/** Adds how far the agents of the run are, and the agents themselves, if a supervisor answers. */
export async function withAgents(shell: Shell, view: RunView): Promise<ShownRun> {
  if (view.ended_ms !== null) return unsupervised(view);
  const shown = { ...view, stages: await withProgress(shell.layout, view.stages) };
  const answered = await askSupervisorIfAny(shell, 'status', {}, () => undefined);
  if (answered === undefined) return unsupervised(shown);
  const { workers, problems } = answered.result;
  return { ...shown, agents: listAgentViews(view.id, workers), supervised: true, problems };
}

function unsupervised(view: RunView): ShownRun {
  return { ...view, agents: null, supervised: false, problems: [] };
}

function listAgentViews(run: string, workers: readonly WorkerReport[]): readonly AgentView[] {
  return workers.flatMap(({ name, agent, run: of, usage }) =>
    // The worker in which shell lines run has no agent.
    of?.id !== run || name === checkWorkerName(run)
      ? []
      : [
          {
            worker: name,
            role: of.role,
            agent,
            resting: of.resting,
            tokens: usage?.tokens ? countedTokens(usage.tokens) : null,
            cost_usd: usage?.cost_usd ?? null,
          },
        ],
  );
}

/** `agents: developer (claude, 12kt, $0.40), developer-2 (claude, resting)`; undefined if there is none. */
export function agentsLine({ id, agents }: Pick<ShownRun, 'id' | 'agents'>): string | undefined {
  if (agents === null || agents.length === 0) return undefined;
  const each = agents.map(({ worker, agent, resting, tokens, cost_usd }) => {
    const figures = [tokens === null ? undefined : tokensText(tokens), cost_usd === null ? undefined : `$${cost_usd.toFixed(2)}`];
    return `${worker.slice(id.length + 1)} (${[agent, resting ? 'resting' : undefined, ...figures].filter((word) => word !== undefined).join(', ')})`;
  });
  return visibleLine(`  agents: ${each.join(', ')}`);
}
