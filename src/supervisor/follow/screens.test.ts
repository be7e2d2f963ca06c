import { expect, test } from 'vitest';
import { LlmcError } from '../../base/error.ts';
import { aState, aWorker } from '../../workers/samples.ts';
import { aPane, aTmuxWatch, aWatch } from '../samples.ts';
import { type ScreenEvent, Screens } from './screens.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A session whose lines the test sets, a clock that stands until the test lets it go on, and one who watches. */
function watched() {
  const session: { lines: readonly string[] | undefined; captures: number; wroteAt: number } = { lines: ['one'], captures: 0, wroteAt: 1 };
  const sleeps: (() => void)[] = [];
  const state = aState(aWorker());
  const worker = (name: string) => {
    const found = state.workers[name];
    if (found === undefined) throw new LlmcError('WORKER_NOT_FOUND', `there is no worker "${name}"`, { hint: 'llmc status' });
    return found;
  };
  const terminal = {
    colors: async () => {
      session.captures += 1;
      return session.lines;
    },
  };
  const clock = { now: () => 10_000, sleep: () => new Promise<void>((wake) => void sleeps.push(wake)) };
  const screens = new Screens(Object.assign(Object.create(null), { store: { state, worker }, terminal, clock }), {
    watchOf: () => aWatch({ tmux: aTmuxWatch(aPane({ wroteAt: session.wroteAt })) }),
  });
  const events: ScreenEvent[] = [];
  const left = new AbortController();
  let isFull = false;
  const outlet = { push: (event: ScreenEvent) => void events.push(event), isFull: () => isFull, onDrain: () => undefined };
  const pass = async () => {
    for (const wake of sleeps.splice(0)) wake();
    await settled();
  };
  const fill = (full: boolean) => {
    isFull = full;
  };
  return { session, screens, events, left, outlet, pass, fill, state };
}

test('the screen is sent when it has changed, and captured no more while the worker is quiet', async () => {
  const { session, screens, events, left, outlet, pass } = watched();
  const ended = screens.watch('adam', outlet, left.signal);
  await settled();
  session.lines = ['one', 'two'];
  for (let times = 0; times < 10; times += 1) await pass();
  expect(events).toEqual(['one', 'one,two'].map((text) => ({ screen: { lines: text.split(','), of: 'agent' } })));
  const { captures } = session;
  expect(captures).toBeLessThan(7);
  await pass();
  expect(session.captures).toBe(captures);

  session.lines = ['three'];
  screens.note('berta');
  await settled();
  expect(session.captures).toBe(captures);
  screens.note('adam');
  await settled();
  expect(session.captures).toBe(captures);
  session.wroteAt = 9;
  screens.note('adam');
  await settled();
  expect(events.at(-1)).toEqual({ screen: { lines: ['three'], of: 'agent' } });
  left.abort();
  await pass();
  await ended;
});

test('a reader that does not read gets the newest screen when it reads again', async () => {
  const { session, screens, events, outlet, pass, fill, left } = watched();
  void screens.watch('adam', outlet, left.signal);
  await settled();
  fill(true);
  for (const line of ['two', 'three', 'four']) {
    session.lines = [line];
    await pass();
  }
  expect(events).toHaveLength(1);
  fill(false);
  screens.note('adam');
  await pass();
  expect(events.slice(1)).toEqual([{ screen: { lines: ['four'], of: 'agent' } }]);
  left.abort();
});

test('a session that is gone and a worker that is removed are reported', async () => {
  const { session, screens, events, outlet, pass, left, state } = watched();
  session.lines = undefined;
  void screens.watch('adam', outlet, left.signal);
  await settled();
  delete state.workers['adam'];
  await pass();
  expect(events).toEqual([{ noScreen: 'the agent of adam is not running' }, { noScreen: 'there is no worker adam any more' }]);
  left.abort();
});

test('a worker that does not exist is refused', async () => {
  const { screens, outlet, left } = watched();
  await expect(screens.watch('nobody', outlet, left.signal)).rejects.toMatchObject({ code: 'WORKER_NOT_FOUND' });
});
