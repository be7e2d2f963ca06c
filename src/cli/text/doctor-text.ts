import pc from 'picocolors';
import { wrapWithIndent } from '../../base/text-width.ts';
import type { CheckResult } from '../../doctor/check.ts';

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
