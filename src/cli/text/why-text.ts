import type { Activity } from '../../agents/activity.ts';
import { detailOf } from '../../agents/activity-detail.ts';
import { formatAge } from '../../base/duration.ts';
import type { WhyReport } from '../../supervisor/report/why-report.ts';
import { budgetLine } from './budget-line.ts';
import { limitLine } from './limit-line.ts';

export function whyText(report: WhyReport, now: number): string {
  const { worker, assessment } = report;
  const ago = (at: number) => `${formatAge(now - at)} ago`;
  const section = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)]);
  const doing =
    assessment === null
      ? 'nobody is watching (no supervisor)'
      : `${named(assessment.activity)} since ${ago(assessment.since)}, because ${assessment.rule} [${assessment.source}, ${assessment.confidence}]`;
  return [
    `${worker.name} is ${worker.status}${worker.status === 'offline' ? ` (was ${worker.status_before_offline ?? 'idle'})` : ''}`,
    `agent ${worker.agent}: ${doing}`,
    ...(worker.attention === null ? [] : [`→ ${worker.attention}`]),
    ...(report.limit === null ? [] : [limitLine(report.limit, now)]),
    ...(report.budget === null ? [] : [budgetLine(report.budget)]),
    ...(report.usage === null ? [] : [usageLine(report.usage)]),
    ...section(
      'Evidence',
      report.evidence.map(({ source, says, at }) => `${source.padEnd(11)} ${says} (${ago(at)})`),
    ),
    ...section(
      'Deliveries, newest first',
      report.deliveries.map((row) => {
        const ack =
          row.acked_ms === null ? '' : `, acknowledged by ${row.ack_source} after ${row.acked_ms - (row.typed_ms ?? row.acked_ms)} ms`;
        const reason = row.reason === null ? '' : ` – ${row.reason}`;
        return `${row.id.slice(0, 8)} ${row.purpose} ${row.state}, attempt ${row.attempt}${ack}${reason} (${ago(row.created_ms)})`;
      }),
    ),
    ...(report.delivering ? section('Next prompt', [deliveringLine(report.delivering)]) : []),
    ...section(
      'Decisions, newest first',
      report.history.map(({ at, kind, summary }) => `${ago(at).padEnd(8)} ${kind}: ${summary}`),
    ),
    ...section(
      'Events, newest first',
      report.events.map(
        ({ at, name, incarnation, fate }) =>
          `${ago(at).padEnd(8)} ${name} (incarnation ${incarnation}${fate === 'applied' ? '' : `, ${fate}`})`,
      ),
    ),
    ...section('Last screen', report.screen),
  ].join('\n');
}

function deliveringLine({ delivery, step, rule, why }: NonNullable<WhyReport['delivering']>): string {
  return `${delivery.slice(0, 8)}: ${step}, because ${why} [rule: ${rule}]`;
}

function named(activity: Activity): string {
  const detail = detailOf(activity);
  return detail === null ? activity.kind : `${activity.kind} (${detail})`;
}

function usageLine(usage: NonNullable<WhyReport['usage']>): string {
  const { inputTokens, outputTokens, contextTokens, contextWindow } = usage;
  const context = contextWindow === null ? `${contextTokens} tokens of context` : `${contextTokens} of ${contextWindow} tokens of context`;
  return `used ${inputTokens} tokens in, ${outputTokens} out; ${context}`;
}
