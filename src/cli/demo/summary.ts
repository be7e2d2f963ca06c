import { LlmcError } from '../../base/error.ts';
import type { WhyReport } from '../../supervisor/report/why-report.ts';
import { CAST } from './cast.ts';
import { commitsAfter, type DemoCommit } from './repository.ts';
import type { DemoStage } from './stage.ts';

export interface DemoSummary {
  readonly seconds: number;
  readonly workers: number;
  readonly prompts: { readonly sent: number; readonly acknowledged: number; readonly typed_again: number; readonly slowest_ack_ms: number };
  readonly sent_back: number;
  readonly agent_crashes: number;
  readonly landed: readonly { readonly commit: string; readonly subject: string }[];
}

/** Counts from the records of the root and from main after all chapters have run. */
export async function summarise(stage: DemoStage, base: string, elapsedMs: number): Promise<DemoSummary> {
  const reports: Pick<WhyReport, 'worker' | 'deliveries'>[] = [];
  for (const { worker } of CAST) reports.push(JSON.parse(await stage.llmc(['why', worker, '--json'])));
  const deliveries = reports.flatMap((report) => report.deliveries);
  const acked = deliveries.filter(({ acked_ms }) => acked_ms !== null);
  const landed = await commitsAfter(stage.git, stage.source, base);
  requireClean(landed, CAST.length);
  return {
    seconds: Math.round(elapsedMs / 100) / 10,
    workers: reports.length,
    prompts: {
      sent: deliveries.length,
      acknowledged: acked.length,
      typed_again: deliveries.reduce((sum, { attempt }) => sum + Math.max(0, attempt - 1), 0),
      slowest_ack_ms: Math.max(...acked.map(({ acked_ms, typed_ms }) => (acked_ms ?? 0) - (typed_ms ?? acked_ms ?? 0))),
    },
    sent_back: deliveries.filter(({ purpose }) => purpose === 'feedback').length,
    agent_crashes: reports.reduce((sum, { worker }) => sum + worker.incarnation - 1, 0),
    landed: landed.map(({ commit, subject }) => ({ commit, subject })),
  };
}

/** Checks the claim of a summary: one commit per task, on a linear main, without attribution lines. */
export function requireClean(landed: readonly DemoCommit[], tasks: number): void {
  const wrong = landed.length !== tasks || landed.some(({ parents, body }) => parents !== 1 || /co-authored-by|generated with/i.test(body));
  if (wrong) throw new LlmcError('INTERNAL', 'main does not hold one clean commit for each task', { details: JSON.stringify(landed) });
}

export function summaryText(summary: DemoSummary): string {
  const { prompts, landed } = summary;
  return [
    '',
    `In ${summary.seconds} s: ${summary.workers} workers in parallel on one repository.`,
    `  ${prompts.acknowledged} of ${prompts.sent} prompts acknowledged by their agents (slowest: ${prompts.slowest_ack_ms} ms), ${prompts.typed_again} typed twice.`,
    `  ${summary.sent_back} rejected with feedback, ${summary.agent_crashes} agent crashed and continued its task.`,
    `  ${landed.length} commits on main, one for each task:`,
    ...landed.map(({ commit, subject }) => `    ${commit.slice(0, 7)} ${subject}`),
    'Everything the demo created is removed. To use your own repository: llmc init --source path/to/repository',
  ].join('\n');
}
