import { expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import { aState } from '../../workers/samples.ts';
import { keepPlace } from './keep-place.ts';

interface Poll {
  readonly lock?: 'missing' | 'replaced';
  readonly socket?: true | 'refused';
  readonly root?: true;
}

/** What is missing at each poll; the poll after the last one finds the supervisor stopping. */
async function polled(...polls: readonly Poll[]) {
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
    files: {
      exists: (path: string) => {
        const { lock, socket, root } = missing();
        if (path === layout.lock) return lock !== 'missing';
        return (path === layout.apiSocket ? socket : root) === undefined;
      },
    },
    lock: { isLost: () => missing().lock !== undefined },
    listenAgain: async () => {
      if (missing().socket === 'refused') throw new Error('no space left on device');
      did.push('listen');
    },
    say: (line: string) => {
      if (line.includes('cannot')) did.push('cannot');
    },
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

test('a supervisor that cannot listen again says so once, and tries until it can', async () => {
  const refused = { socket: 'refused' } as const;
  expect(await polled(refused, refused, refused, { socket: true }, {}, refused)).toEqual(['cannot', 'listen', 'cannot']);
});

test('a supervisor ends as soon as another process has a lock of its own, so that there are never two that act', async () => {
  expect(await polled({}, { lock: 'replaced', socket: true }, {}, {})).toEqual(['end']);
  expect(await polled({}, { lock: 'missing' }, { lock: 'missing' }, { lock: 'replaced' }, {})).toEqual(['end']);
});

test('a supervisor whose lock was removed ends after a minute', async () => {
  const removed: Poll = { lock: 'missing', socket: true };
  expect(await polled(...Array<Poll>(30).fill(removed))).toEqual([]);
  expect(await polled(...Array<Poll>(31).fill(removed))).toEqual(['end']);
});

test('a lock that is there again is its own, as after a network file system was gone', async () => {
  expect(await polled({ lock: 'missing' }, {}, { lock: 'missing' }, {})).toEqual([]);
});

test('a root that is removed file by file, however slowly, is left to those who end its agents', async () => {
  const going: Poll = { lock: 'missing', socket: true };
  expect(await polled(going, going, going, { ...going, root: true }, { ...going, root: true })).toEqual([]);
});

test('a supervisor that is told to stop does not end like one without its lock', async () => {
  expect(await polled({ lock: 'missing' })).toEqual([]);
});
