import { formatAge } from '../../base/duration.ts';
import { shortId } from '../../base/short-id.ts';
import type { WhyReport } from '../../supervisor/report/why-report.ts';

type Section = (title: string, lines: readonly string[]) => readonly string[];

/** The sections that `llmc why --full` adds: evidence with sources and ages, deliveries, decisions, events and the screen. */
export function evidenceText(report: WhyReport, now: number, section: Section, screen: Section): readonly string[] {
  const ago = (at: number) => `${formatAge(now - at)} ago`;
  const { assessment } = report;
  return [
    ...(assessment === null
      ? []
      : section('Assessment', [`${assessment.activity.kind}: ${assessment.rule} [${assessment.source}, ${assessment.confidence}]`])),
    ...section(
      'Evidence',
      report.evidence.map(({ source, says, at }) => `${source.padEnd(11)} ${says} (${ago(at)})`),
    ),
    ...section(
      'Deliveries, newest first',
      report.deliveries.map((row) => {
        const how = row.ack_source === 'unverified' ? 'not verified' : `acknowledged by ${row.ack_source}`;
        const ack = row.acked_ms === null ? '' : `, ${how} after ${row.acked_ms - (row.typed_ms ?? row.acked_ms)} ms`;
        const reason = row.reason === null ? '' : ` – ${row.reason}`;
        return `${shortId(row.id)} ${row.purpose} ${row.state}, attempt ${row.attempt}${ack}${reason} (${ago(row.created_ms)})`;
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
    ...screen('Screen', report.screen),
  ];
}

function deliveringLine({ delivery, step, rule, why }: NonNullable<WhyReport['delivering']>): string {
  return `${shortId(delivery)}: ${step}, because ${why} [rule: ${rule}]`;
}
