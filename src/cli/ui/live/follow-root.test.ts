import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/repo/scratch.ts';
import { makeLayout } from '../../../store/layout.ts';
import { serveApi } from '../../../supervisor/api/server.ts';
import { sharedReport } from '../../../supervisor/follow/changes.ts';
import { Followers } from '../../../supervisor/follow/followers.ts';
import { aReport } from '../../../supervisor/follow/samples.ts';
import { systemClock, systemScheduler } from '../../../system/clock.ts';
import { aState, aWorker } from '../../../workers/samples.ts';
import { Shell } from '../../shell.ts';
import { type Followed, followRoot } from './follow-root.ts';

/** A root on disk with one idle worker, and a view that follows it. */
function scratchRoot(version = '1') {
  const scratch = scratchFolder();
  const layout = makeLayout(scratch.path);
  mkdirSync(layout.run);
  writeFileSync(layout.config, '[repo]\nsource = "/source"\nbranch = "main"\n');
  writeFileSync(layout.state, JSON.stringify(aState(aWorker())));
  const flags = { json: false, quiet: true, verbose: false, color: false, yes: false, patrol: true };
  const shell = new Shell({ ...flags, root: scratch.path, version, declarations: [] }, () => Promise.reject(new Error('asked')));
  const left = new AbortController();
  const followed = (silenceMs?: number) => followRoot(shell, left.signal, silenceMs)[Symbol.asyncIterator]();
  return {
    layout,
    followed,
    left,
    [Symbol.dispose]() {
      left.abort();
      scratch[Symbol.dispose]();
    },
  };
}

/** A supervisor that has only followers. */
async function supervising(path: string, pid = 7) {
  let report = { ...aReport({ adam: {}, berta: {} }), supervisor: { ...aReport().supervisor, pid } };
  const make = async (before: typeof report | undefined) => (before === undefined ? report : sharedReport(before, report));
  const followers = new Followers({ make }, { clock: systemClock, scheduler: systemScheduler });
  const server = await serveApi(path, '1', async (call) => await followers.follow(call, call.signal));
  return {
    followers,
    change(workers: Parameters<typeof aReport>[0]) {
      report = { ...aReport(workers), supervisor: report.supervisor };
      followers.markAll();
    },
    async stop(why: string) {
      followers.close(why);
      await server.close();
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** The first of the next items that fits. */
async function next(items: AsyncIterator<Followed>, fits: (followed: Followed) => boolean): Promise<Followed> {
  for (;;) {
    const { value, done } = await items.next();
    if (done === true) throw new Error('it has ended');
    if (fits(value)) return value;
  }
}

const isRunning = (followed: Followed) => followed.kind === 'status' && followed.report.supervisor.running;
const statuses = (followed: Followed) => (followed.kind === 'status' ? followed.report.workers.map(({ status }) => status) : []);

test('the status is merged from changes, and a worker that did not change is the same object', async () => {
  using root = scratchRoot();
  await using supervisor = await supervising(root.layout.apiSocket);
  const items = root.followed();
  const first = await next(items, isRunning);
  supervisor.change({ adam: { status: 'working' }, berta: {} });
  const second = await next(items, (followed) => statuses(followed).includes('working'));
  if (first.kind !== 'status' || second.kind !== 'status') throw new Error('no status');
  expect(statuses(second)).toEqual(['working', 'idle']);
  expect(second.report.workers[1]).toBe(first.report.workers[1]);
  await items.return?.();
});

test('without a supervisor the status comes from disk, and from the supervisor as soon as one listens', async () => {
  using root = scratchRoot();
  const items = root.followed();
  expect(await items.next()).toMatchObject({ value: { kind: 'lost', why: 'no supervisor is running for this root – llmc up --detach' } });
  const second = await items.next();
  expect(second).toMatchObject({ value: { kind: 'status', report: { supervisor: { running: false } } } });
  writeFileSync(root.layout.state, JSON.stringify(aState(aWorker({ status: 'error' }))));
  expect(statuses(await next(items, ({ kind }) => kind === 'status'))).toEqual(['error']);
  await using _ = await supervising(root.layout.apiSocket);
  expect(await next(items, isRunning)).toMatchObject({ report: { workers: [{ name: 'adam' }, { name: 'berta' }] } });
  await items.return?.();
});

test('a supervisor that was stopped is reported, and the next one is followed', async () => {
  using root = scratchRoot();
  const first = await supervising(root.layout.apiSocket);
  const items = root.followed();
  await next(items, isRunning);
  await first.stop('the supervisor was stopped');
  expect(await next(items, ({ kind }) => kind === 'lost')).toMatchObject({ why: expect.stringContaining('the supervisor was stopped') });
  await using _ = await supervising(root.layout.apiSocket, 8);
  expect(await next(items, isRunning)).toMatchObject({ report: { supervisor: { pid: 8 } } });
  await items.return?.();
});

test('a supervisor that sends nothing for too long is not believed', async () => {
  using root = scratchRoot();
  await using supervisor = await supervising(root.layout.apiSocket);
  const items = root.followed(200);
  await next(items, isRunning);
  expect(await next(items, ({ kind }) => kind === 'lost')).toMatchObject({ why: expect.stringContaining('has ended, or hangs') });
  supervisor.change({ adam: { status: 'working' } });
  await next(items, (followed) => statuses(followed).includes('working'));
  await items.return?.();
});

test('a supervisor of another version is named with what to do', async () => {
  using root = scratchRoot('2');
  await using _ = await supervising(root.layout.apiSocket);
  const items = root.followed();
  const lost = await next(items, ({ kind }) => kind === 'lost');
  expect(lost).toMatchObject({ why: expect.stringMatching(/runs llmc 1, and this is llmc 2 – .*llmc up --replace/) });
  expect(await next(items, ({ kind }) => kind === 'status')).toMatchObject({ report: { supervisor: { running: true } } });
  await items.return?.();
});

test('a root that is removed ends it with an error', async () => {
  using root = scratchRoot();
  const items = root.followed();
  await next(items, ({ kind }) => kind === 'status');
  rmSync(root.layout.config);
  rmSync(join(root.layout.root, 'state.json'));
  await expect(next(items, () => false)).rejects.toMatchObject({ code: 'ROOT_NOT_FOUND' });
});

test('leaving ends the connection', async () => {
  using root = scratchRoot();
  await using supervisor = await supervising(root.layout.apiSocket);
  const items = root.followed();
  await next(items, isRunning);
  root.left.abort();
  expect((await items.next()).done).toBe(true);
  await expect.poll(() => supervisor.followers.isFollowed).toBe(false);
});
