import { expect, test } from 'vitest';
import { scratchStore } from '../../test/support/scratch-store.ts';
import type { Activity } from '../agents/activity.ts';
import { insertDelivery, updateDelivery } from '../store/deliveries.ts';
import type { Worker } from '../store/state.ts';
import { screenFromText } from '../terminal/screen.ts';
import { aState, aWorker } from '../workers/samples.ts';
import { rhythmMs } from './rhythm.ts';
import { aDelivery, anAssessment, aReading, BUSY, EXITED, QUESTION, READY } from './samples.ts';
import { newWatch, noteLook } from './watch.ts';

const CLOSE = 150;
const BUSY_PACE = 500;
const IDLE = 1_000;
const BACKGROUND: Activity = { kind: 'processing', detail: 'background' };

interface Scene {
  readonly status?: Worker['status'];
  readonly activity: Activity;
  readonly shown?: Activity;
  readonly row?: 'queued' | 'held';
}

test.each<[string, Scene, number]>([
  ['all is still', { activity: READY }, IDLE],
  ['an agent works', { status: 'working', activity: BUSY, shown: BUSY }, BUSY_PACE],
  ['a dialog waits for a person', { status: 'needs_input', activity: QUESTION, shown: QUESTION }, IDLE],
  ['an agent starts', { activity: { kind: 'starting' } }, CLOSE],
  ['an agent has just ended', { status: 'working', activity: EXITED }, CLOSE],
  ['an agent was given up', { status: 'error', activity: EXITED }, IDLE],
  ['an agent was given up with a prompt still waiting', { status: 'error', activity: EXITED, row: 'queued' }, IDLE],
  ['tmux does not answer', { activity: { kind: 'unknown' } }, CLOSE],
  ['a prompt is on its way', { status: 'working', activity: READY, row: 'queued' }, CLOSE],
  ['a prompt is held', { status: 'needs_input', activity: QUESTION, row: 'held' }, BUSY_PACE],
  ['a turn has ended and nobody has asked git yet', { status: 'working', activity: READY }, CLOSE],
  ['screen and report differ', { status: 'working', activity: BUSY, shown: READY }, CLOSE],
  ['a task runs on in the background of a ready screen', { status: 'working', activity: BACKGROUND, shown: READY }, BUSY_PACE],
])('the next look, when %s', (_, scene, expected) => {
  using scratch = scratchStore(aState(aWorker({ status: scene.status ?? 'idle' })));
  using store = scratch.open();
  const watch = newWatch('adam', 1, 0);
  watch.assessment = anAssessment(scene.activity);
  if (scene.shown !== undefined) noteLook(watch, screenFromText(''), aReading(scene.shown), 0);
  if (scene.row !== undefined) {
    insertDelivery(store.database, aDelivery());
    updateDelivery(store.database, aDelivery().id, { state: scene.row });
  }
  expect(rhythmMs([watch], store)).toBe(expected);
});

test('the most urgent worker sets the pace', () => {
  using scratch = scratchStore(aState(aWorker(), aWorker({ name: 'eve' })));
  using store = scratch.open();
  const [still, starting] = [newWatch('adam', 1, 0), newWatch('eve', 1, 0)];
  still.assessment = anAssessment(READY);
  expect(rhythmMs([still, starting], store)).toBe(CLOSE);
  expect(rhythmMs([], store)).toBe(IDLE);
});
