import { dirname } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { errorRecord } from '../../recovery/error-record.ts';
import { openDatabase } from '../../store/database.ts';
import type { RunRecord } from '../model/action.ts';
import { newRun, swarmPlan } from '../next/samples.ts';
import { runLogPath } from '../run-log-path.ts';
import { SqliteRuns } from '../store/sqlite-runs.ts';
import { loggedRuns } from './run-log.ts';

const NOON = 1_800_000_000_000;
const error = (severity: 'error' | 'warning') =>
  errorRecord({ id: severity, code: 'AGENT_CRASHED', severity, message: 'status 1', component: 'develop', at: NOON });
const RECORDS: readonly RunRecord[] = [
  { kind: 'checkpoint', type: 'periodic', note: '' },
  { kind: 'history', step: 'develop', text: 'done' },
  { kind: 'error', error: error('warning') },
  { kind: 'error', error: error('error') },
];

let written: Map<string, string>;
let size: number;
let made: string[];

beforeEach(() => {
  written = new Map();
  size = 0;
  made = [];
});

const files = {
  size: () => size,
  rename: (from: string, to: string) => void written.set(to, written.get(from) ?? ''),
  append: (path: string, text: string) => void written.set(path, text),
  makeFolder: (path: string) => void made.push(path),
};

async function commit(settings: object = {}, broken = false): Promise<boolean> {
  const runs = new SqliteRuns(openDatabase(':memory:'));
  const run = newRun(swarmPlan(), NOON);
  await runs.create(run, { key: 'begin', at: NOON, dice: 0, what: { kind: 'begin' } });
  const append = () => {
    throw new Error('no space');
  };
  const logged = loggedRuns(
    { ...plain(runs) },
    {
      files: broken ? { ...files, append } : files,
      pathOf: (id, logFile) => runLogPath({ root: '/root' }, id, logFile),
      settings: () => Promise.resolve({ logLevel: 'info', logToFile: true, logFile: 'logs/{run}.log', logMaxMb: 10, ...settings }),
    },
  );
  const decision = { run: { ...run, version: 1 }, actions: [], changedSteps: [], records: RECORDS };
  return await logged.commit({ version: 0, event: 'begin', decision, wakeAt: null, at: NOON });
}

/** As the engine has it: an object whose methods can be replaced. */
function plain(runs: SqliteRuns) {
  return {
    create: runs.create.bind(runs),
    load: runs.load.bind(runs),
    list: runs.list.bind(runs),
    post: runs.post.bind(runs),
    undecided: runs.undecided.bind(runs),
    commit: runs.commit.bind(runs),
    note: runs.note.bind(runs),

    due: runs.due.bind(runs),
    nextDue: runs.nextDue.bind(runs),
    providers: runs.providers.bind(runs),
    retried: runs.retried.bind(runs),
  };
}

const lines = () =>
  (written.get('/root/logs/swarm-1.log') ?? '')
    .trimEnd()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe('the level', () => {
  test.each([
    ['debug', ['debug', 'info', 'warn', 'error']],
    ['info', ['info', 'warn', 'error']],
    ['warn', ['warn', 'error']],
    ['error', ['error']],
  ])('%s writes %j', async (logLevel, levels) => {
    await commit({ logLevel });
    expect(lines().map(({ level }) => level)).toEqual(levels);
  });
});

test('a line has the time, the stage, the code and what was done', async () => {
  await commit({ logLevel: 'error' });
  expect(lines()).toEqual([
    {
      time: '2027-01-15T08:00:00.000Z',
      level: 'error',
      kind: 'error',
      step: 'develop',
      code: 'AGENT_CRASHED',
      text: 'status 1',
      details: null,
      role: null,
      strategy: null,
      cause: null,
    },
  ]);
});

test('nothing is written when the log is off', async () => {
  await commit({ logToFile: false });
  expect(written.size).toBe(0);
});

test('a log that is too large begins again', async () => {
  size = 10 * 1024 * 1024 + 1;
  written.set('/root/logs/swarm-1.log', 'old');
  await commit();
  expect(written.get('/root/logs/swarm-1.log.1')).toBe('old');
  expect(lines()).toHaveLength(3);
});

test.each([
  ['logs/{run}.log', '/root/logs/swarm-1.log', {}],
  ['/var/log/llmc/{run}.jsonl', '/var/log/llmc/swarm-1.jsonl', {}],
  ['logs/error.log', '/root/logs/error.log', { run: 'swarm-1' }],
])('log_file = "%s" writes to %s, in a folder that is made', async (logFile, path, named) => {
  await commit({ logFile });
  expect([...written.keys()]).toEqual([path]);
  expect(made).toEqual([dirname(path)]);
  const [first] = (written.get(path) ?? '').split('\n').map((line) => (line === '' ? {} : JSON.parse(line)));
  expect(first).toMatchObject(named);
  expect(Object.hasOwn(first, 'run')).toBe(Object.hasOwn(named, 'run'));
});

test('a log that cannot be written does not stop the run', async () => {
  expect(await commit({}, true)).toBe(true);
});
