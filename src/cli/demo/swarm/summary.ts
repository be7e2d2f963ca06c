import { LlmcError } from '../../../base/error.ts';
import type { RunView } from '../../../workflow/view/run-view.ts';
import { commitsAfter } from '../repository.ts';
import type { DemoStage } from '../stage.ts';
import { requireClean } from '../summary.ts';
import { RUN } from './roles.ts';
import { EXPECTED, isAsExpected, readTasks, type TaskCounts } from './tasks.ts';

export interface SwarmSummary {
  readonly seconds: number;
  readonly run: string;
  readonly status: string;
  readonly stages: number;
  /** How often the agents of each role began a task, by their own count. */
  readonly tasks: TaskCounts;
  readonly review_rounds: number;
  readonly supervisor_kills: number;
  readonly landed: readonly { readonly commit: string; readonly subject: string }[];
}

/** Counts from the record of the agents, the run and main after all chapters have run. */
export async function summariseSwarm(stage: DemoStage, base: string, elapsedMs: number): Promise<SwarmSummary> {
  const run: RunView = JSON.parse(await stage.llmc(['show', RUN, '--json']));
  const tasks = readTasks(stage.record);
  const landed = await commitsAfter(stage.git, stage.source, base);
  requireClean(landed, 1);
  if (!isAsExpected(tasks) || run.status !== 'done')
    throw new LlmcError('INTERNAL', 'a stage of the run did not run as often as its workflow asks for', {
      details: JSON.stringify({ status: run.status, expected: EXPECTED, tasks }),
    });
  return {
    seconds: Math.round(elapsedMs / 100) / 10,
    run: RUN,
    status: run.status,
    stages: run.stages.length,
    tasks,
    review_rounds: Math.max(...run.stages.map(({ round }) => round)),
    supervisor_kills: 1,
    landed: landed.map(({ commit, subject }) => ({ commit, subject })),
  };
}

export function swarmText({ seconds, run, stages, tasks, review_rounds, supervisor_kills, landed }: SwarmSummary): string {
  const each = Object.entries(tasks).map(([role, count]) => `${role} ${count}`);
  return [
    '',
    `In ${seconds} s: ${run}, ${stages} stages by ${each.length} agents.`,
    `  Tasks that the agents began, by their own count: ${each.join(', ')}. Review rounds: ${review_rounds}.`,
    `  The supervisor was killed ${supervisor_kills === 1 ? 'once' : `${supervisor_kills} times`}; no stage ran twice for that.`,
    `  ${landed.length} commit on main:`,
    ...landed.map(({ commit, subject }) => `    ${commit.slice(0, 7)} ${subject}`),
    'Everything the demo created is removed. On your own repository: llmc run swarm --input task="…"',
  ].join('\n');
}
