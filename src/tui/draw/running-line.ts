import { visibleLine } from '../../base/visible-text.ts';
import { describeEffect } from '../model/effect.ts';
import type { Running } from '../model/view.ts';
import { span } from '../screen/fit.ts';
import type { Line } from '../screen/line.ts';

/** What is under way, and what it said last. */
export function runningLine({ effect, line }: Running, others = 0, place = ''): Line {
  const more = others === 0 ? '' : ` (and ${others} more)`;
  return [
    span(`${visibleLine(place)}${describeEffect(effect)} …${more}`, { color: 'cyan' }),
    span(line === undefined ? '' : `  ${visibleLine(line)}`),
  ];
}
