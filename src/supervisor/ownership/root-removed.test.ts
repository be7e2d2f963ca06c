import { expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import { systemPorts } from '../../system/ports.ts';
import { stopWhenRootRemoved } from './root-removed.ts';

type Look = number | 'absent' | 'unknown';

/** What a look at each file of the root finds at each poll; the poll after the last one finds the supervisor stopping. */
async function polled(...polls: readonly { readonly database?: Look; readonly config?: Look }[]) {
  using scratch = scratchStore();
  const { layout } = scratch;
  const stopping = new AbortController();
  let poll = 0;
  const files = {
    ...systemPorts.files,
    exists: (path: string) => typeof look(path) === 'number',
    plainSize: (path: string) => look(path),
  };
  const look = (path: string): Look => polls[poll]?.[path === layout.database ? 'database' : 'config'] ?? 1;
  const clock = {
    now: () => 0,
    sleep: async () => {
      poll += 1;
      if (poll >= polls.length) stopping.abort();
    },
  };
  const removal = await stopWhenRootRemoved({ ...systemPorts, files, clock, layout, say: () => undefined }, new Map(), stopping.signal);
  return removal && (removal.again ? 'database' : 'root');
}

const GONE = { database: 'absent', config: 'absent' } as const;
const UNKNOWN = { database: 'unknown', config: 'unknown' } as const;

test('a supervisor whose root was removed ends its agents, and one whose database was removed asks to be started again', async () => {
  expect(await polled({}, {}, {})).toBeUndefined();
  expect(await polled({}, GONE, GONE)).toBe('root');
  expect(await polled({}, { database: 'absent' }, { database: 'absent' })).toBe('database');
});

test('a disk that cannot say whether the root is there ends nothing', async () => {
  expect(await polled({}, UNKNOWN, UNKNOWN, UNKNOWN, {})).toBeUndefined();
});
