import { expect, test } from 'vitest';
import { demoAgent } from '../../agents/demo/adapter.ts';
import { screenFromText } from '../../terminal/screen.ts';
import { captureAfterKey, captureUntil, captureUntilReported } from './capture.ts';

/** A terminal on a clock that only captures and sleeps advance, whose screen changes at a given time. */
function changesAt(changeMs: number, after = 'after') {
  let now = 0;
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms;
    },
  };
  const capture = async () => new Map([['s', screenFromText(now < changeMs ? 'before' : after)]]);
  return { clock, signal: new AbortController().signal, terminal: { capture } };
}

test.each([
  ['at once', 0, 'after', 0],
  ['after seconds, by an agent on an overloaded machine', 8_000, 'after', 8_000],
  ['never', Number.POSITIVE_INFINITY, 'before', 15_050],
])('a key takes effect %s', async (_, changeMs, shown, tookMs) => {
  const context = changesAt(changeMs);
  const { screen } = await captureAfterKey(context, demoAgent, 's', screenFromText('before'));
  expect([screen.lines[0], context.clock.now()]).toEqual([shown, tookMs]);
});

const DIALOG = [
  '─'.repeat(20),
  ' Permission needed: Bash',
  '   ls',
  ' Proceed?',
  ' ❯ 1. Yes',
  '   2. No',
  '',
  ' Enter to choose · Esc to cancel',
].join('\n');

test.each([
  ['is drawn late', 8_000, 'awaiting_permission', 8_000],
  ['is never drawn', Number.POSITIVE_INFINITY, 'unknown', 15_050],
])('a screen that %s', async (_, drawnMs, kind, tookMs) => {
  const context = changesAt(drawnMs, DIALOG);
  const { reading } = await captureUntil(context, demoAgent, 's', (captured) => captured.reading.activity.kind === 'awaiting_permission');
  expect([reading.activity.kind, context.clock.now()]).toEqual([kind, tookMs]);
});

test.each([
  ['is drawn just after its report: what was captured before it is over', 50, 0, 'after', 50],
  ['is drawn before its report', 50, Number.POSITIVE_INFINITY, 'after', 50],
  ['looks like the last one', Number.POSITIVE_INFINITY, 200, 'before', 1_200],
  ['never comes', Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 'before', 15_050],
])('the page after an answered one %s', async (_, drawnMs, reportedMs, shown, tookMs) => {
  const context = changesAt(drawnMs);
  const isDrawn = ({ screen }: { screen: { lines: readonly string[] } }) => screen.lines[0] === 'after';
  const { screen } = await captureUntilReported(context, demoAgent, 's', isDrawn, async () => context.clock.now() >= reportedMs);
  expect([screen.lines[0], context.clock.now()]).toEqual([shown, tookMs]);
});
