import { expect, test } from 'vitest';
import { scratchStore } from '../../test/support/scratch-store.ts';
import { screenFromText } from '../terminal/screen.ts';
import { assessWorker } from './assess/assess-worker.ts';
import { recallClocks, recordClocks } from './clocks.ts';
import { noteCapture } from './observe/screen-watch.ts';
import { newWatch, type Watch } from './observe/watch.ts';
import { aPane, aReading, aTmuxWatch, BUSY } from './samples.ts';

const MINUTE = 60_000;

/** A root whose supervisor can be replaced: each one has its own watch of the same agent. */
function watchedRoot() {
  const scratch = scratchStore();
  const context = { store: scratch.open(), clock: scratch.clock };
  const launchedAt = scratch.clock.now() - 60 * MINUTE;
  const next = (incarnation = 1): Watch => {
    const watch = newWatch('adam', { incarnation, launchedAt: scratch.clock.now(), resumed: false });
    watch.life = { ...watch.life, launchedAt };
    watch.tmux = aTmuxWatch(aPane());
    recallClocks(context, watch);
    return watch;
  };
  const observe = (watch: Watch, text: string) => {
    noteCapture(watch, { screen: screenFromText(text), reading: aReading(BUSY) }, scratch.clock.now());
    assessWorker(watch, scratch.clock.now());
  };
  const pass = (ms: number) => scratch.clock.set(scratch.clock.now() + ms);
  return { context, next, observe, pass, [Symbol.dispose]: () => scratch[Symbol.dispose]() };
}

const STALLED = { kind: 'processing', detail: 'stalled' };

test('an agent that was silent for four of five minutes before a restart is stalled one minute after it', () => {
  using root = watchedRoot();
  const first = root.next();
  root.observe(first, '✻ Working… 3s');
  root.pass(4 * MINUTE);
  root.observe(first, '✶ Working… 243s');
  recordClocks(root.context, [first]);
  // Nobody watched: this time proves no silence.
  root.pass(60 * MINUTE);
  const second = root.next();
  root.observe(second, '✻ Working… 3843s');
  expect(second.assessment.activity).toEqual(BUSY);
  root.pass(MINUTE - 1);
  root.observe(second, '✻ Working… 3902s');
  expect(second.assessment.activity).toEqual(BUSY);
  root.pass(1);
  root.observe(second, '✻ Working… 3903s');
  expect(second.assessment.activity).toEqual(STALLED);
});

test('the time is kept over two restarts in a row, also when the second one comes before a capture', () => {
  using root = watchedRoot();
  const first = root.next();
  root.observe(first, 'Working');
  root.pass(4 * MINUTE);
  root.observe(first, 'Working');
  recordClocks(root.context, [first]);
  recordClocks(root.context, [root.next()]);
  const third = root.next();
  root.observe(third, 'Working');
  root.pass(MINUTE);
  root.observe(third, 'Working');
  expect(third.assessment.activity).toEqual(STALLED);
});

test.each([
  ['another screen', 1, 'Working on the next step'],
  ['another agent with the same screen', 2, 'Working'],
])('%s is progress', (_, incarnation, text) => {
  using root = watchedRoot();
  const first = root.next();
  root.observe(first, 'Working');
  root.pass(4 * MINUTE);
  root.observe(first, 'Working');
  recordClocks(root.context, [first]);
  const second = root.next(incarnation);
  root.observe(second, text);
  root.pass(5 * MINUTE - 1);
  root.observe(second, text);
  expect(second.assessment.activity).toEqual(BUSY);
});

test('a prompt that waits and a rebase that an agent resolves go on counting', () => {
  using root = watchedRoot();
  const first = root.next();
  root.observe(first, 'Working');
  first.waiting = { delivery: 'd1', at: root.context.clock.now(), spentMs: { dialog_open: 50_000 } };
  first.resolution = { stamp: 's1', progressAt: root.context.clock.now() - 9 * MINUTE, decided: 'x' };
  recordClocks(root.context, [first]);
  root.pass(60 * MINUTE);
  const now = root.context.clock.now();
  expect(root.next()).toMatchObject({
    waiting: { delivery: 'd1', at: now, spentMs: { dialog_open: 50_000 } },
    resolution: { stamp: 's1', progressAt: now - 9 * MINUTE, decided: undefined },
  });
});

test.each(['{', '{}', '{"incarnation":1,"quiet_ms":-1,"screen":null,"waiting":null,"resolution":null}'])(
  'a broken row counts as none: %s',
  (json) => {
    using root = watchedRoot();
    root.context.store.database.prepare('INSERT INTO clocks (worker, clocks_json) VALUES (?, ?)').run('adam', json);
    expect(root.next()).toMatchObject({ screen: { changedAt: root.context.clock.now() }, waiting: undefined, resolution: undefined });
  },
);

test('a database that cannot be written does not end the loop', () => {
  using root = watchedRoot();
  const first = root.next();
  root.observe(first, 'Working');
  root.context.store.database.exec('DROP TABLE clocks');
  expect(() => recordClocks(root.context, [first])).not.toThrow();
});
