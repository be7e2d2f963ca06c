import pc from 'picocolors';
import { wrapWithIndent } from '../../base/text-width.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { CheckResult } from '../../doctor/check.ts';
import type { Repair } from '../../recovery/records/repair-step.ts';
import type { RebuiltWorker } from '../../workers/repair/rebuild-state.ts';
import type { RepairReport } from '../repair/repair-report.ts';

const PAINT = { ok: 'green', warning: 'yellow', failed: 'red' } as const;
const INDENT = ' '.repeat(8);

/** One line per check, with further problems and the hint indented below it, broken between words to fit the terminal. */
export function doctorText(checks: readonly CheckResult[], color: boolean, columns = Number.POSITIVE_INFINITY): string {
  const colors = pc.createColors(color);
  return checks
    .map(({ name, level, message, hint }) => {
      const [first = '', ...others] = message.split('\n');
      const room = columns - INDENT.length;
      const wrapped = (text: string) => wrapWithIndent(text, room, 2);
      const below = hint === undefined ? [] : wrapped(`→ ${hint}`).map((line) => colors.dim(line));
      const lines = [...wrapped(`${name}: ${first}`), ...others.flatMap(wrapped), ...below];
      return `${colors[PAINT[level]](level.padEnd(7))} ${lines.join(`\n${INDENT}`)}`;
    })
    .join('\n');
}

/** One repair before it is done. */
export const planLine = ({ title, does, safe }: Repair): string => visibleLine(`${title}: ${does}${safe ? '' : ' (asks first)'}`);

const OUTCOMES = { planned: 'plan', left: 'left', repaired: 'done', unneeded: 'ok', failed: 'failed' } as const;

const NOT_NEEDED = 'Nothing was done: it was not broken any more.';

/** One line per repair, with what was done indented below it. */
export function repairsText(repairs: readonly RepairReport[]): string {
  if (repairs.length === 0) return 'There is nothing to repair.';
  const lines = repairs.flatMap((repair) => [
    `${OUTCOMES[repair.outcome].padEnd(7)} ${planLine(repair)}`,
    ...(repair.outcome === 'unneeded' ? [NOT_NEEDED] : repair.lines).map((line) => `${INDENT}${visibleLine(line)}`),
  ]);
  // A repair that `--yes` leaves says so itself.
  const left = repairs.some(({ outcome, lines: why }) => outcome === 'left' && why.length === 0);
  return [...lines, ...(left ? ['To do the rest too: llmc doctor --repair --yes'] : [])].join('\n');
}

export function rebuiltText(workers: readonly RebuiltWorker[]): string {
  const lines = workers.map((rebuilt) => `  ${rebuilt.worker}: ${rebuilt.status}, ${describeSources(rebuilt)}`);
  return [`state.json was written again with ${workers.length} worker${workers.length === 1 ? '' : 's'}.`, ...lines].join('\n');
}

function describeSources({ from, conversation }: RebuiltWorker): string {
  if (from === 'record') return 'from its record';
  return conversation
    ? 'from its branch and its worktree; its task is the first prompt in its conversation'
    : 'from its branch and its worktree; its task and its conversation are lost';
}
