import { formatAge } from '../../base/duration.ts';
import type { Said } from '../../supervisor/report/conversation.ts';
import { cutLine, span } from '../screen/fit.ts';
import type { Line, Size } from '../screen/line.ts';
import { wrapText } from '../screen/wrap.ts';

const WHO = { person: 'you', llmc: 'llmc', agent: 'agent' } as const;
const COLOR = { person: 'green', llmc: 'yellow', agent: 'cyan' } as const;
const STATE = { waiting: 'not delivered yet', failed: 'failed' } as const;

/** Who said what, the newest at the end: a head line each, and the text below it. */
export function drawConversation(said: readonly Said[], { columns }: Size, now: number): readonly Line[] {
  if (said.length === 0) return [[span('Nothing was said yet.', { dim: true })]];
  return said.flatMap((each, index) => [
    ...(index === 0 ? [] : [[]]),
    cutLine(drawTurnHead(each, now), columns),
    ...wrapText(each.text.trim(), Math.max(1, columns - 2)).map((line): Line => [span('  '), ...line]),
  ]);
}

function drawTurnHead({ who, purpose, state, at_ms }: Said, now: number): Line {
  const what = purpose === null || purpose === 'message' ? '' : ` (${purpose})`;
  return [
    span(`${WHO[who]}${what}`, { bold: true, color: COLOR[who] }),
    span(`  ${formatAge(now - at_ms)} ago`, { dim: true }),
    ...(state === null ? [] : [span(`  ${STATE[state]}`, { color: state === 'failed' ? 'red' : 'yellow' })]),
  ];
}
