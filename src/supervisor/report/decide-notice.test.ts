import { expect, test } from 'vitest';
import { decideNotice, type NoticeStep } from './decide-notice.ts';

const NOW = 1_800_000_000_000;
const ago = (...seconds: readonly number[]) => seconds.map((each) => NOW - each * 1_000);
const send: NoticeStep = { kind: 'send' };
const until = (seconds: number): NoticeStep => ({ kind: 'collect', until: NOW + seconds * 1_000 });

test.each<[string, readonly number[], { collecting?: true; quiet?: number; digestSecs?: number }, NoticeStep]>([
  ['the first', [], {}, send],
  ['the third within a minute', ago(5, 1), {}, send],
  ['the fourth within a minute: collected until the first is a minute old', ago(20, 5, 1), {}, until(40)],
  ['the fifth, while others are kept', ago(20), { collecting: true }, until(40)],
  ['the first, while others are kept', [], { collecting: true }, until(60)],
  ['the fourth, and the first three are older than a minute', ago(60, 61, 62), {}, send],
  ['the tenth, without a digest', ago(1, 2, 3, 4, 5, 6, 7, 8, 9), { digestSecs: 0 }, send],
  ['the first within quiet hours', [], { quiet: 3_600 }, until(3_600)],
  ['the first within quiet hours, without a digest', [], { quiet: 3_600, digestSecs: 0 }, until(3_600)],
  ['the fourth, after the clock was set back', ago(-100, -200, -300), {}, send],
])('%s', (_, sentAt, { collecting = false, quiet, digestSecs = 60 }, expected) => {
  const policy = { quietUntil: quiet === undefined ? undefined : NOW + quiet * 1_000, digestMs: digestSecs * 1_000 };
  expect(decideNotice(sentAt, collecting, policy, NOW)).toEqual(expected);
});
