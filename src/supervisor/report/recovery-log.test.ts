import { existsSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import { RecoveryLog } from './recovery-log.ts';

const ESC = '\u001b';

test('each recovery action is one line with the end of the screen and the git status; other changes are none', async () => {
  await using work = await scratchWork();
  const { context } = work;
  const { store, layout } = context;
  const log = new RecoveryLog(context, () => undefined);
  writeFileSync(join(store.worker('adam').worktree_path, 'new\nname.txt'), '');
  store.commit({ worker: 'adam', kind: 'exit', summary: 'the agent ended: restarting', details: `one\n\n${ESC}[2Jtwo` });
  store.commit({ worker: 'adam', kind: 'delivery', summary: 'typing, attempt 1' });
  store.commit({ worker: 'adam', kind: 'delivery', recovers: true, summary: 'Enter again' });
  store.commit({ worker: null, kind: 'repair', summary: 'state.json was missing' });
  await log.settled();
  const text = readFileSync(layout.recoveryLog, 'utf8');
  expect(text).not.toContain(ESC);
  const [exit, again, repair, ...others] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(others).toEqual([]);
  expect(exit).toMatchObject({ worker: 'adam', kind: 'exit', summary: 'the agent ended: restarting', screen: ['one', '<U+001B>[2Jtwo'] });
  expect(exit.git).toMatchObject({ branch: 'llmc/adam', changes: ['untracked new ⏎ name.txt'], more: 0 });
  expect(again).toMatchObject({ worker: 'adam', kind: 'delivery', summary: 'Enter again' });
  expect(repair).toMatchObject({ worker: null, kind: 'repair', screen: [], git: null });
  expect(statSync(layout.recoveryLog).mode & 0o777).toBe(0o600);
});

test('a worktree that git cannot read is a reason, a large log is rotated, and a link is not followed', async () => {
  await using work = await scratchWork();
  const { context } = work;
  const { store, layout } = context;
  const git = { ...context.git, run: () => Promise.reject(new Error('git is broken')) };
  const log = new RecoveryLog({ ...context, git }, () => undefined);
  store.commit({ worker: 'adam', kind: 'stuck', summary: 'first status check' });
  await log.settled();
  expect(JSON.parse(readFileSync(layout.recoveryLog, 'utf8')).git).toEqual({ unread: 'git is broken' });
  truncateSync(layout.recoveryLog, 6 * 1024 * 1024);
  store.commit({ worker: 'adam', kind: 'stuck', summary: 'second status check' });
  await log.settled();
  expect(statSync(`${layout.recoveryLog}.1`).size).toBe(6 * 1024 * 1024);
  expect(readFileSync(layout.recoveryLog, 'utf8').trimEnd().split('\n')).toHaveLength(1);
  const elsewhere = join(layout.root, 'elsewhere');
  context.files.remove(layout.recoveryLog);
  symlinkSync(elsewhere, layout.recoveryLog);
  store.commit({ worker: 'adam', kind: 'stuck', summary: 'third' });
  await log.settled();
  expect(existsSync(elsewhere)).toBe(false);
});

test('a supervisor that stops writes the rest without git, and does not wait for a git that hangs', async () => {
  const stopping = new AbortController();
  await using work = await scratchWork();
  const { context } = work;
  const { store, layout } = context;
  let asked = 0;
  const hangs = () => {
    asked += 1;
    return new Promise<never>(() => undefined);
  };
  const clock = { ...context.clock, sleep: (_: number, signal?: AbortSignal) => rejectedAt(signal) };
  const log = new RecoveryLog({ ...context, clock, git: { ...context.git, run: hangs }, signal: stopping.signal }, () => undefined);
  for (const summary of ['first', 'second', 'third']) store.commit({ worker: 'adam', kind: 'stuck', summary });
  await expect.poll(() => asked, { timeout: 60_000 }).toBe(1);
  stopping.abort();
  await log.settled();
  expect(asked).toBe(1);
  const lines = readFileSync(layout.recoveryLog, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).summary)).toEqual(['first', 'second', 'third']);
});

/** A sleep that only a signal ends. */
function rejectedAt(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
}

test.each([
  ['a start with the supervisor', 'offline', 0],
  ['a restart of an agent that ran', 'working', 1],
] as const)('%s, of a worker that was %s, makes %i lines', async (_, status, lines) => {
  await using work = await scratchWork({ worker: { status } });
  const { context } = work;
  const log = new RecoveryLog(context, () => undefined);
  context.store.commit({ worker: 'adam', kind: 'launch', summary: 'incarnation 2' });
  await log.settled();
  const written = existsSync(context.layout.recoveryLog) ? readFileSync(context.layout.recoveryLog, 'utf8').split('\n').length - 1 : 0;
  expect(written).toBe(lines);
});
