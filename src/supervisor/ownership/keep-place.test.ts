import { expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import { aState } from '../../workers/samples.ts';
import { keepPlace } from './keep-place.ts';

/** What is missing at each poll; the poll after the last one finds the supervisor stopping. */
async function polled(...polls: readonly { readonly lock?: true; readonly socket?: true; readonly root?: true }[]) {
  using scratch = scratchStore(aState());
  const { layout } = scratch;
  const stopping = new AbortController();
  const did: string[] = [];
  let poll = -1;
  const missing = () => polls[poll] ?? {};
  const place = {
    layout,
    clock: {
      now: () => 0,
      sleep: async () => {
        poll += 1;
        if (poll >= polls.length) stopping.abort();
      },
    },
    files: { exists: (path: string) => missing()[path === layout.apiSocket ? 'socket' : 'root'] === undefined },
    lock: { isLost: () => missing().lock === true },
    listenAgain: async () => {
      did.push('listen');
    },
    say: () => undefined,
    end: () => {
      did.push('end');
    },
  };
  await keepPlace(place, stopping.signal);
  return did;
}

test('a supervisor with its lock and its socket does nothing', async () => {
  expect(await polled({}, {}, {})).toEqual([]);
});

test('a supervisor whose socket was removed listens again, each time', async () => {
  expect(await polled({}, { socket: true }, {}, { socket: true })).toEqual(['listen', 'listen']);
});

test('a supervisor whose lock was removed ends, so that there are never two that act', async () => {
  expect(await polled({}, { lock: true, socket: true }, { lock: true, socket: true }, {})).toEqual(['end']);
});

test('a root that is removed file by file is left to those who end its agents', async () => {
  expect(await polled({ lock: true, socket: true }, { lock: true, socket: true, root: true }, { lock: true, root: true })).toEqual([]);
});

test('a supervisor that is told to stop does not end like one without its lock', async () => {
  expect(await polled({ lock: true })).toEqual([]);
});
