import { padToWidth } from '../../base/text-width.ts';
import { HELP } from '../model/keys.ts';
import { span } from '../screen/fit.ts';
import type { Line } from '../screen/line.ts';

/** All keys, with the command that does the same. */
export function helpLines(columns: number): readonly Line[] {
  const [key, does] = columns >= 90 ? [20, 44] : [18, 40];
  return HELP.flatMap(({ heading, keys }) => [
    [],
    [span(heading, { bold: true })],
    ...keys.map(
      (each): Line => [
        span(` ${padToWidth(each.key, key)}`, { bold: true }),
        span(padToWidth(each.does, does)),
        span(` ${each.command}`, { dim: true }),
      ],
    ),
  ]);
}
