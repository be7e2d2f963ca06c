import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Activity } from '../../agents/activity.ts';
import type { Worker } from '../../store/state.ts';
import type { DeliveryState } from '../../store/tables/deliveries.ts';
import { screenFromText } from '../../terminal/screen.ts';
import { anAssessment, aReading, aWatch, BUSY, EXITED, QUESTION, READY } from '../samples.ts';
import { isDue, needsFreshScreen, nextPollAt, pollEveryMs, reportIsEnough } from './polling.ts';
import { noteCapture } from './screen-watch.ts';
import type { Watch } from './watch.ts';

const CLOSE = 125;
const BUSY_PACE = 500;
const IDLE = 2_000;
const BACKGROUND: Activity = { kind: 'processing', detail: 'background' };

interface Scene {
  readonly status?: Worker['status'];
  readonly activity: Activity;
  readonly shown?: Activity;
  readonly row?: DeliveryState;
}

function watching({ activity, shown }: Scene): Watch {
  const watch = aWatch();
  watch.assessment = anAssessment(activity);
  if (shown !== undefined) noteCapture(watch, { screen: screenFromText(''), reading: aReading(shown) }, 0);
  return watch;
}

test.each<[string, Scene, number]>([
  ['nothing happens', { activity: READY }, IDLE],
  ['an agent works', { status: 'working', activity: BUSY, shown: BUSY }, BUSY_PACE],
  ['a dialog waits for a person', { status: 'needs_input', activity: QUESTION, shown: QUESTION }, IDLE],
  ['an agent starts', { activity: { kind: 'starting' } }, CLOSE],
  ['an agent has just ended', { status: 'working', activity: EXITED }, CLOSE],
  ['an agent was given up', { status: 'error', activity: EXITED }, IDLE],
  ['an agent was given up with a prompt still waiting', { status: 'error', activity: EXITED, row: 'queued' }, IDLE],
  ['an agent ended after its work was finished', { status: 'needs_review', activity: EXITED }, IDLE],
  ['a message goes out to finished work', { status: 'needs_review', activity: READY, row: 'queued' }, CLOSE],
  ['a turn after a rejection has ended', { status: 'rejected', activity: READY }, CLOSE],
  ['a turn in a conflict has ended', { status: 'rebasing', activity: READY }, CLOSE],
  ['a turn has ended and the next prompt is held', { status: 'working', activity: READY, shown: READY, row: 'held' }, BUSY_PACE],
  ['tmux does not answer', { activity: { kind: 'unknown' } }, CLOSE],
  ['a prompt is on its way', { status: 'working', activity: READY, row: 'queued' }, CLOSE],
  ['a prompt is held', { status: 'needs_input', activity: QUESTION, row: 'held' }, BUSY_PACE],
  ['a turn has ended and git has not been asked yet', { status: 'working', activity: READY }, CLOSE],
  ['screen and report differ', { status: 'working', activity: BUSY, shown: READY }, CLOSE],
  ['a task runs on in the background of a ready screen', { status: 'working', activity: BACKGROUND, shown: READY }, BUSY_PACE],
])('the next pass, when %s', (_, scene, expected) => {
  expect(pollEveryMs(watching(scene), scene.status ?? 'idle', scene.row)).toBe(expected);
});

test.each(['screen', 'process'] as const)('the next pass is slow while the %s says that nobody can know what the agent does', (source) => {
  const watch = aWatch();
  watch.assessment = { ...anAssessment({ kind: 'unknown' }), source };
  expect(pollEveryMs(watch, 'working', undefined)).toBe(IDLE);
});

test.each<[string, Scene, { report: boolean; screen: boolean }]>([
  ['an agent works', { activity: BUSY, shown: BUSY }, { report: true, screen: false }],
  ['nothing happens', { activity: READY, shown: READY }, { report: true, screen: false }],
  ['a prompt waits to be typed', { activity: READY, shown: READY, row: 'queued' }, { report: false, screen: true }],
  ['a prompt is held', { activity: BUSY, shown: BUSY, row: 'held' }, { report: false, screen: true }],
  ['an agent starts', { activity: { kind: 'starting' }, shown: READY }, { report: false, screen: true }],
  ['an agent has ended', { activity: EXITED, shown: READY }, { report: false, screen: true }],
  ['there is no capture yet', { activity: READY }, { report: false, screen: true }],
  ['screen and report differ', { activity: BUSY, shown: READY }, { report: true, screen: true }],
])('whether a report is enough, and whether an unchanged screen is captured, when %s', (_, scene, expected) => {
  const watch = watching(scene);
  expect({ report: reportIsEnough(watch, scene.row), screen: needsFreshScreen(watch, scene.row) }).toEqual(expected);
});

test('captures fall together, and never closer than half an interval', () => {
  fc.assert(
    fc.property(fc.nat({ max: 1e12 }), fc.constantFrom(CLOSE, BUSY_PACE, IDLE), (now, every) => {
      const next = nextPollAt(now, every);
      expect(next % every).toBe(0);
      expect(next - now).toBeGreaterThanOrEqual(every / 2);
      expect(next - now).toBeLessThanOrEqual(every * 1.5);
    }),
  );
});

test('a clock that was set back delays no worker', () => {
  expect(isDue(10_000, 9_999)).toBe(false);
  expect(isDue(10_000, 10_000)).toBe(true);
  expect(isDue(3_600_000, 10_000)).toBe(true);
  expect([15_000, 15_001].map((at) => isDue(at, 10_000, 5_000))).toEqual([false, true]);
});
