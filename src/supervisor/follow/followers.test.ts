import { expect, test } from 'vitest';
import type { Clock, Scheduler } from '../../base/ports.ts';
import type { StatusReport } from '../report/status-report.ts';
import { type FollowEvent, sharedReport } from './changes.ts';
import { Followers } from './followers.ts';
import { aReport } from './samples.ts';

/** A clock on which time passes only when the test lets it. */
class StepClock implements Clock, Scheduler {
  readonly sleeps: { readonly ms: number; readonly wake: () => void }[] = [];
  at = 1_000;
  now = () => this.at;
  sleep = (ms: number) => new Promise<void>((wake) => void this.sleeps.push({ ms, wake }));
  soon = (wake: () => void) => void this.sleeps.push({ ms: 0, wake });

  /** Ends the sleep that began first, and returns how long it was. */
  async pass(): Promise<number | undefined> {
    const first = this.sleeps.shift();
    this.at += first?.ms ?? 0;
    first?.wake();
    await settled();
    return first?.ms;
  }
}

/** Until every promise that can go on has gone on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

function world() {
  const clock = new StepClock();
  const root: { report: StatusReport; made: (readonly string[] | 'all')[] } = { report: aReport({ adam: {}, berta: {} }), made: [] };
  const followers = new Followers(
    {
      make: async (before, workers) => {
        root.made.push(workers === 'all' ? 'all' : [...workers]);
        return before === undefined ? root.report : sharedReport(before, root.report);
      },
    },
    { clock, scheduler: clock },
  );
  const change = (report: Parameters<typeof aReport>[0], ...names: readonly string[]) => {
    root.report = aReport(report);
    for (const name of names) followers.markWorker(name);
  };
  return { clock, root, followers, change };
}

function reader(followers: Followers) {
  const left = new AbortController();
  const events: FollowEvent[] = [];
  let isFull = false;
  let drain = () => {};
  const outlet = {
    push: (event: FollowEvent) => void events.push(event),
    isFull: () => isFull,
    onDrain: (listener: () => void) => {
      drain = listener;
    },
  };
  const ended = followers.follow(outlet, left.signal);
  const fill = (full: boolean) => {
    isFull = full;
    if (!full) drain();
  };
  return { events, ended, leave: () => left.abort(), fill };
}

test('a follower gets the whole report, then what has changed', async () => {
  const { clock, root, followers, change } = world();
  const { events, leave, ended } = reader(followers);
  await settled();
  expect(events).toEqual([{ report: root.report }]);
  change({ adam: { status: 'working' }, berta: {} }, 'adam');
  await clock.pass();
  expect(events.slice(1)).toEqual([{ changes: { changed: [{ name: 'adam', status: 'working' }] } }]);
  expect(root.made).toEqual(['all', ['adam']]);
  leave();
  await ended;
  expect(followers.isFollowed).toBe(false);
});

test('nothing is made without a follower', async () => {
  const { clock, root, followers } = world();
  followers.markWorker('adam');
  followers.markAll();
  await followers.refresh();
  expect([root.made, clock.sleeps]).toEqual([[], []]);
});

test('events that come together make one report, and a burst that lasts at most 25 a second', async () => {
  const { clock, root, followers, change } = world();
  reader(followers);
  await settled();
  clock.at += 1_000;
  change({ adam: { crash_count: 1 }, berta: {} }, 'adam', 'berta', 'adam');
  expect(clock.sleeps.map(({ ms }) => ms)).toEqual([0]);
  await clock.pass();
  expect(root.made.slice(1)).toEqual([['adam', 'berta']]);
  const began = clock.at;
  for (let event = 0; clock.at < began + 4_000; event += 1) {
    change({ adam: { crash_count: event }, berta: {} }, 'adam', 'adam', 'adam', 'adam');
    await clock.pass();
  }
  expect(root.made.length - 2).toBeLessThanOrEqual(4 * 25 + 8);
});

test('a follower that does not read gets the difference to the newest report when it reads again', async () => {
  const { clock, followers, change } = world();
  const { events, fill } = reader(followers);
  await settled();
  fill(true);
  for (const status of ['working', 'needs_review', 'idle', 'error'] as const) {
    change({ adam: { status }, berta: { crash_count: 2 } }, 'adam', 'berta');
    await clock.pass();
  }
  await followers.refresh();
  expect(events).toHaveLength(1);
  fill(false);
  expect(events.slice(1)).toMatchObject([{ changes: { changed: [{ name: 'adam', status: 'error' }, { name: 'berta' }] } }]);
});

test('a step that changes nothing sends nothing, and a quiet time sends a sign of life', async () => {
  const { clock, followers } = world();
  const { events } = reader(followers);
  await settled();
  followers.markWorker('adam');
  await clock.pass();
  expect(events).toHaveLength(1);
  await followers.refresh();
  expect(events.slice(1)).toEqual([{ alive: true }]);
});

test('two followers agree, and the second one begins with the whole report', async () => {
  const { clock, followers, change } = world();
  const first = reader(followers);
  await settled();
  change({ adam: { status: 'working' }, berta: {} }, 'adam');
  const second = reader(followers);
  await settled();
  expect(second.events).toEqual([{ report: expect.objectContaining({ workers: expect.anything() }) }]);
  await clock.pass();
  expect(first.events.slice(1)).toEqual([{ changes: { changed: [{ name: 'adam', status: 'working' }] } }]);
  expect(second.events).toHaveLength(1);
});

test('the end of the supervisor ends the followers and says why', async () => {
  const { followers } = world();
  const { events, ended } = reader(followers);
  await settled();
  followers.close('the supervisor was stopped');
  await ended;
  expect(events.at(-1)).toEqual({ stopping: 'the supervisor was stopped' });
});

test('a report that cannot be made is tried again with the next event', async () => {
  const { clock, root, followers, change } = world();
  const { events } = reader(followers);
  await settled();
  const { report } = root;
  Object.defineProperty(root, 'report', {
    configurable: true,
    get: () => {
      throw new Error('the database is locked');
    },
  });
  followers.markWorker('adam');
  await clock.pass();
  Object.defineProperty(root, 'report', { configurable: true, writable: true, value: report });
  change({ adam: { status: 'working' }, berta: {} }, 'adam');
  await clock.pass();
  expect(events.slice(1)).toEqual([{ changes: { changed: [{ name: 'adam', status: 'working' }] } }]);
});
