import pc from 'picocolors';
import { formatSpan } from '../../../base/duration.ts';
import { commandLine } from '../../../base/shell-quote.ts';
import { cutToWidth, measureWidth, padToWidth, wrapWithIndent } from '../../../base/text-width.ts';
import { visibleLine } from '../../../base/visible-text.ts';
import { breakerText } from '../../../workflow/view/breaker-view.ts';
import type { StageView } from '../../../workflow/view/stage-view.ts';
import type { Display } from '../../shell.ts';
import { agentsLine, type ShownRun } from '../run-agents.ts';
import { describeDone, itemRemarks } from './item-text.ts';
import { lossLines } from './loss-lines.ts';
import { pauseLines } from './pause-text.ts';
import { landingReviewLines, questionLines } from './question-lines.ts';
import { describeSpan, statusWords } from './runs-text.ts';
import { STANDS_STILL } from './taken-text.ts';

/** A task may fill pages; --json has all of it. */
const LONGEST_INPUT = 120;

/** A run with its stages as a tree, and what a person should do. */
export function showText(run: ShownRun, now: number, display: Display): string {
  const { columns, atRoot } = display;
  const colors = pc.createColors(display.color);
  const wrapped = (line: string, indent: number) => wrapWithIndent(atRoot(visibleLine(line)), columns, indent);
  const agents = agentsLine(run);
  const todo = [
    ...run.questions.flatMap((question) => questionLines(question, now, display)),
    ...run.reviews.flatMap((review) => landingReviewLines(review, display)),
  ];
  const stands = run.ended_ms === null && !run.supervised ? wrapped(`! ${STANDS_STILL}`, 2) : [];
  return [
    ...wrapped(`${run.id} (${run.workflow}): ${statusWords(run)}, ${describeSpan(run, now)}${recoveredWords(run.recoveries)}`, 2),
    ...[...stands, ...run.problems.flatMap((problem) => wrapped(`! ${problem}`, 2))].map(colors.red),
    ...pauseLines(run, now)
      .flatMap((line) => wrapped(line, 6))
      .map((line) => (line.startsWith('!') ? colors.yellow(line) : line)),
    ...todo.map((line) => (line.startsWith('!') ? colors.yellow(line) : line)),
    ...endLines(run, display),
    ...run.result.flatMap((file) => wrapped(`  result: ${file}`, 4)),
    ...Object.entries(run.inputs).map(([name, value]) => inputLine(name, value, columns)),
    ...stageLines(run.stages, now, display),
    ...(agents === undefined ? [] : wrapped(agents, 4)),
    ...run.breakers.flatMap((breaker) => wrapped(`! ${breakerText(breaker, now)}`, 2)),
    ...run.warnings.flatMap((warning) => wrapped(`! ${warning}`, 2)),
    ...lossLines(run).flatMap((line) => wrapped(line, 2)),
  ].join('\n');
}

/** A recovery is a try: whether it helped, the state of the run says. */
function recoveredWords(count: number): string {
  return count === 0 ? '' : `, ${count} ${count === 1 ? 'recovery' : 'recoveries'}`;
}

/** Why the run ended early, and what a person can do now. */
function endLines({ id, status, error }: ShownRun, { columns, color, atRoot }: Display): readonly string[] {
  if (error === null || (status !== 'failed' && status !== 'aborted')) return [];
  const wrapped = (line: string) => wrapWithIndent(atRoot(visibleLine(line)), columns, 4);
  const why = wrapped(`! ${status === 'failed' ? `${error.code}: ` : 'aborted: '}${error.message}`).map(pc.createColors(color).red);
  return [
    ...why,
    ...wrapped(`    ${commandLine('llmc', 'report', id)}`),
    ...wrapped(`    ${commandLine('llmc', 'recover', id, '--dry-run')}`),
  ];
}

function inputLine(name: string, value: unknown, columns: number): string {
  const text = typeof value === 'string' ? value : (describeKeys(value) ?? JSON.stringify(value));
  // Cut before it is measured: an epic has thousands of characters.
  return cutToWidth(`  ${name}: ${visibleLine(text.slice(0, 4 * LONGEST_INPUT))}`, Math.min(columns, LONGEST_INPUT));
}

/** `2 items: docs, empty`; undefined for anything but a list of items. */
function describeKeys(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const keys = value.map((item: unknown) => (typeof item === 'object' && item !== null && 'id' in item ? String(item.id) : undefined));
  if (keys.includes(undefined)) return undefined;
  return `${keys.length} ${keys.length === 1 ? 'item' : 'items'}: ${keys.join(', ')}`;
}

const SIGNS: Readonly<Record<StageView['state'], string>> = {
  waiting: '·',
  under_way: '▸',
  acting: '▸',
  working: '▸',
  cooling: '▸',
  asking: '?',
  done: '✓',
  skipped: '–',
  failed: '✗',
};

function stageLines(stages: readonly StageView[], now: number, { columns, color }: Display): readonly string[] {
  const colors = pc.createColors(color);
  const heads = stages.map((stage) => `${'  '.repeat(stage.depth + 1)}${SIGNS[stage.state]} ${stage.id}`);
  const who = stages.map(({ by, session, items }) => (items === null ? `${by}${session}` : describeDone(items)));
  const times = stages.map(({ started_ms, ended_ms }) => (started_ms === null ? '' : formatSpan((ended_ms ?? now) - started_ms)));
  const width = (texts: readonly string[]) => Math.max(...texts.map(measureWidth));
  return stages.flatMap((stage, index) => {
    const cells = [
      padToWidth(heads[index] ?? '', width(heads)),
      padToWidth(who[index] ?? '', width(who)),
      padToWidth(times[index] ?? '', width(times)),
    ];
    const line = `${cells.join('  ')}  ${visibleLine(remarksOn(stage).join('; '))}`.trimEnd();
    const paint = PAINT[stage.state];
    return wrapWithIndent(line, columns, 4 + 2 * stage.depth).map((each) => (paint === undefined ? each : colors[paint](each)));
  });
}

const PAINT: Partial<Readonly<Record<StageView['state'], 'green' | 'red' | 'yellow' | 'cyan' | 'dim'>>> = {
  done: 'green',
  failed: 'red',
  asking: 'yellow',
  acting: 'cyan',
  under_way: 'cyan',
  working: 'cyan',
  cooling: 'cyan',
  skipped: 'dim',
};

function remarksOn({ kind, marks, why, waiting_for, verdict, commit, state, items, progress, ...stage }: StageView): readonly string[] {
  return [
    ...itemRemarks(items ?? []),
    ...describeRounds(stage),
    ...(verdict === null || state !== 'done' ? [] : [verdict]),
    ...(kind === 'land' && commit !== null ? [`landed ${commit.slice(0, 10)}`] : []),
    ...marks,
    ...(why === null ? [] : [why]),
    ...(progress === null ? [] : [progressWords(progress)]),
    ...(waiting_for === null ? [] : [waiting_for]),
  ];
}

function progressWords({ done, total, note }: NonNullable<StageView['progress']>): string {
  return `${done} of ${total}${note === '' ? '' : `: ${note}`}`;
}

/** A review counts its rounds from the first, other stages say only that they were sent back. */
function describeRounds({ round, max_rounds, started_ms }: Pick<StageView, 'round' | 'max_rounds' | 'started_ms'>): readonly string[] {
  if (max_rounds === null) return round > 1 ? [`round ${round}`] : [];
  return started_ms !== null ? [`round ${round} of ${max_rounds}`] : [];
}
