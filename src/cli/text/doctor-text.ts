import pc from 'picocolors';
import type { CheckResult } from '../../doctor/check.ts';

const PAINT = { ok: 'green', warning: 'yellow', failed: 'red' } as const;
const INDENT = ' '.repeat(8);

/** One line per check, with further problems and the hint indented below it. */
export function doctorText(checks: readonly CheckResult[], color: boolean): string {
  const colors = pc.createColors(color);
  return checks
    .map(({ name, level, message, hint }) => {
      const [first = '', ...others] = message.split('\n');
      const lines = [`${name}: ${first}`, ...others, ...(hint === undefined ? [] : [colors.dim(`→ ${hint}`)])];
      return `${colors[PAINT[level]](level.padEnd(7))} ${lines.join(`\n${INDENT}`)}`;
    })
    .join('\n');
}
