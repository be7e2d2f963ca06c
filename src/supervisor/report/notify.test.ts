import { expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import type { Assessment } from '../../agents/activity.ts';
import type { Command } from '../../base/command.ts';
import type { Processes } from '../../base/ports.ts';
import type { Refusal } from '../../base/refusal.ts';
import type { Config } from '../../config/schema.ts';
import { openGit } from '../../git/run.ts';
import type { Attention, Trouble } from '../../store/attention.ts';
import type { Worker } from '../../store/state.ts';
import { Terminal } from '../../terminal/terminal.ts';
import { aConfig, aState, aWorker, ofRun } from '../../workers/samples.ts';
import type { Fleet } from '../observe/fleet.ts';
import type { Unwritable } from '../observe/write-watch.ts';
import { anAssessment, aWatch, PERMISSION, READY } from '../samples.ts';
import { askedBy } from './attention.ts';
import { notifier, type Ring, unwritableCaller } from './notify.ts';

const REVIEW: Attention = { kind: 'review', uncommitted: false };

const NOON = new Date(2026, 10, 16, 12).getTime();

/** A clock that the test moves on; it wakes those that sleep until then. */
function wakingClock() {
  let now = NOON;
  let sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  return {
    now: () => now,
    sleep: (ms: number) => new Promise<void>((wake) => sleepers.push({ until: now + ms, wake })),
    setBack(ms: number): void {
      now -= ms;
      sleepers = sleepers.map(({ until, wake }) => ({ until: until - ms, wake }));
    },
    async passes(ms: number): Promise<void> {
      now += ms;
      const due = sleepers.filter(({ until }) => until <= now);
      sleepers = sleepers.filter(({ until }) => until > now);
      for (const { wake } of due) wake();
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** One worker, a person who is notified, and how often the bell rang. */
function earshot(worker: Worker | readonly Worker[], notify: Partial<Config['notify']> = {}) {
  const scratch = scratchStore(aState(...[worker].flat()));
  const store = scratch.open();
  const ran: Command[] = [];
  const processes: Processes = {
    run: async (command) => {
      ran.push(command);
      return { command, outcome: { kind: 'exited', status: 0 }, stdout: '', stderr: '', truncated: false };
    },
  };
  const terminal = new Terminal('/nowhere/tmux.sock', processes);
  const config = { ...aConfig(), notify: { ...aConfig().notify, ...notify } };
  let assessment: Assessment = anAssessment(READY);
  let trouble: Trouble | undefined;
  let rang = 0;
  // The config is read at once, so that a due bell has rung one turn of the event loop later.
  const clock = wakingClock();
  const context = {
    store,
    processes,
    terminal,
    layout: scratch.layout,
    config: () => Promise.resolve(config),
    clock,
    git: openGit(processes),
  };
  const notes: unknown[] = [];
  const fleet: { unwritable: Unwritable | undefined } & Pick<Fleet, 'watchOf' | 'troubleOf'> = {
    watchOf: () => aWatch({ assessment }),
    troubleOf: () => trouble,
    unwritable: undefined,
  };
  const heard: Ring = ({ bell, notice }) => {
    if (bell) rang += 1;
    if (notice !== undefined) notes.push(notice);
  };
  const begin = (life: AbortSignal) =>
    notifier({ ...context, signal: life }, fleet, (how) => {
      if (!life.aborted) heard(how);
    });
  let life = new AbortController();
  let notices = begin(life.signal);
  const cannotWrite = unwritableCaller({ ...context, signal: life.signal }, fleet, heard);
  store.onCommit(({ worker: name }) => notices.check(name ?? 'adam'));
  return {
    clock,
    notes,
    /** The supervisor is killed, and the next one comes up. */
    restart(): void {
      life.abort();
      life = new AbortController();
      notices = begin(life.signal);
    },
    async ran(): Promise<readonly Command[]> {
      await new Promise((resolve) => setImmediate(resolve));
      return ran;
    },
    async rings(): Promise<number> {
      await new Promise((resolve) => setImmediate(resolve));
      return rang;
    },
    becomes(changes: Partial<Worker>, name = 'adam'): void {
      store.commit({ worker: name, kind: 'status', summary: '', state: ({ workers }) => Object.assign(workers[name] ?? {}, changes) });
    },
    fails(message: string | undefined): void {
      trouble = message === undefined ? undefined : { kind: 'trouble', message, hint: null };
      notices.check('adam');
    },
    cannotWrite(refusal: Refusal): void {
      fleet.unwritable = { refusal, since: clock.now() };
      cannotWrite();
    },
    canWrite(): void {
      fleet.unwritable = undefined;
    },
    shows(next: Assessment): void {
      assessment = next;
      notices.check('adam');
    },
    [Symbol.dispose]: () => scratch[Symbol.dispose](),
  };
}

test('every task that needs a person rings, not only the first', async () => {
  using at = earshot(aWorker());
  for (const rings of [1, 2, 3]) {
    at.becomes({ status: 'working', attention: null });
    at.becomes({ status: 'needs_review', attention: REVIEW });
    expect(await at.rings()).toBe(rings);
  }
});

test('a resolved conflict rings, although the same work rang before', async () => {
  using at = earshot(aWorker({ status: 'needs_review', attention: REVIEW }));
  at.becomes({ status: 'rebasing', attention: null });
  expect(await at.rings()).toBe(0);
  at.becomes({ status: 'needs_review', attention: { kind: 'resolved', branch: 'main', lost: 0, uncommitted: false } });
  expect(await at.rings()).toBe(1);
  at.becomes({ status: 'rebasing', attention: null });
  at.becomes({ attention: { kind: 'resolution_stuck', why: 'loop', files: ['a.txt'] } });
  expect(await at.rings()).toBe(2);
});

test('a crash and a failed delivery ring too', async () => {
  using at = earshot(aWorker({ status: 'working' }));
  at.becomes({ status: 'error', attention: { kind: 'crashed', endings: 3 } });
  expect(await at.rings()).toBe(1);
});

test('an open dialog of an idle worker rings once, and its end does not', async () => {
  using at = earshot(aWorker());
  at.shows(anAssessment(PERMISSION));
  at.shows(anAssessment(PERMISSION));
  at.shows(anAssessment(READY));
  expect(await at.rings()).toBe(1);
});

test('trouble rings once for as long as it lasts', async () => {
  using at = earshot(aWorker());
  at.fails('tmux does not answer');
  at.fails('tmux does not answer');
  at.fails(undefined);
  expect(await at.rings()).toBe(1);
});

test('attention from before a restart of llmc is not reported again', async () => {
  using at = earshot(aWorker({ status: 'needs_review', attention: REVIEW }));
  at.becomes({ status: 'offline', status_before_offline: 'needs_review' });
  at.becomes({ status: 'needs_review', status_before_offline: null });
  expect(await at.rings()).toBe(0);
  at.becomes({ attention: { kind: 'conflict', branch: 'main', files: ['a.txt'] } });
  expect(await at.rings()).toBe(1);
});

test('an answered dialog does not ring again, although the last capture still shows it', async () => {
  using at = earshot(aWorker({ status: 'needs_input', attention: askedBy(PERMISSION) }));
  at.shows(anAssessment(PERMISSION));
  at.becomes({ status: 'working', attention: null });
  expect(await at.rings()).toBe(0);
  at.shows(anAssessment({ ...PERMISSION, question: 'Run mv?' }));
  at.becomes({ status: 'needs_input', attention: askedBy({ ...PERMISSION, question: 'Run mv?' }) });
  expect(await at.rings()).toBe(1);
});

test('a command and a desktop notification get no control characters, no markup and no endless text of an agent', async () => {
  using at = earshot(aWorker({ status: 'working' }), { desktop: true, command: 'cat' });
  const question = `\u001b]52;c;c2VjcmV0\u0007<img src="https://example.test"> Delete?\n${'x'.repeat(200_000)}`;
  at.becomes({ status: 'needs_input', attention: { kind: 'startup_dialog', question } });
  const [desktop, command] = await at.ran();
  const shown = '<U+001B>]52;c;c2VjcmV0<U+0007><img src="https://example.test"> Delete? ⏎ xxx';
  expect(command?.env?.LLMC_REASON).toContain(shown);
  expect(command?.env?.LLMC_REASON).toMatch(/x{3000}… \(\d+ more characters\)$/);
  expect(command?.env?.LLMC_REASON?.length).toBeLessThan(4_050);
  expect(desktop?.args.at(-1)?.length).toBeLessThan(2_000);
  expect(desktop?.args.at(-1)).toContain(shown.replaceAll('<', process.platform === 'darwin' ? '<' : '&lt;'));
});

const TEAM = Array.from({ length: 10 }, (_, index) => aWorker({ name: `w${index}`, status: 'working' }));
const minutes = (count: number) => count * 60_000;

test('ten workers that finish at once ring three times, then once for the other seven', async () => {
  using at = earshot(TEAM, { command: 'true' });
  for (const { name } of TEAM) at.becomes({ status: 'needs_review', attention: REVIEW }, name);
  await at.clock.passes(0);
  expect(await at.rings()).toBe(3);
  await at.clock.passes(minutes(1));
  expect(await at.rings()).toBe(4);
  const digest = (await at.ran()).at(-1)?.env;
  expect(digest).toMatchObject({
    LLMC_WORKER: '',
    LLMC_WORKERS: 'w3 w4 w5 w6 w7 w8 w9',
    LLMC_STATUS: 'digest',
    LLMC_REASON_KIND: 'digest',
  });
  expect(digest?.LLMC_REASON?.split('\n')).toHaveLength(7);
  await at.clock.passes(minutes(5));
  expect(await at.rings()).toBe(4);
});

test('what a person has done meanwhile is not in the digest', async () => {
  using at = earshot(TEAM, { command: 'true' });
  for (const { name } of TEAM.slice(0, 5)) at.becomes({ status: 'needs_review', attention: REVIEW }, name);
  await at.clock.passes(0);
  for (const name of ['w3', 'w4']) at.becomes({ status: 'idle', attention: null }, name);
  await at.clock.passes(minutes(1));
  expect(await at.rings()).toBe(3);
});

test('with digest_secs = 0 each notification goes out at once', async () => {
  using at = earshot(TEAM, { digestSecs: 0 });
  for (const { name } of TEAM) at.becomes({ status: 'needs_review', attention: REVIEW }, name);
  await at.clock.passes(0);
  expect(await at.rings()).toBe(10);
});

test('nothing rings in quiet hours, and one digest follows at their end', async () => {
  using at = earshot(TEAM, { quiet: '11:00-13:00', desktop: true, tmux: true, command: 'true', terminal: true });
  for (const { name } of TEAM.slice(0, 2)) at.becomes({ status: 'needs_review', attention: REVIEW }, name);
  await at.clock.passes(minutes(59));
  expect(await at.rings()).toBe(0);
  expect(await at.ran()).toEqual([]);
  await at.clock.passes(minutes(1));
  expect(await at.rings()).toBe(1);
  expect(at.notes).toMatchObject([{ title: 'llmc: 2 workers need you: w0, w1' }]);
  const ran = await at.ran();
  expect(ran.map(({ file }) => file)).toEqual(['tmux', process.platform === 'darwin' ? 'osascript' : 'notify-send', 'sh']);
  expect(ran[0]?.args.at(-1)).toMatch(/^llmc: 2 workers need you: w0, w1: w0 has work to review .+ ⏎ w1 has work/);
  expect(JSON.parse(ran[2]?.stdin ?? '')).toMatchObject({ status: 'digest', workers: [{ worker: 'w0' }, { worker: 'w1' }], run: null });
});

test('a single worker that was kept is named as usual', async () => {
  using at = earshot(aWorker({ status: 'working' }), { quiet: '11:00-13:00', command: 'true' });
  at.becomes({ status: 'needs_review', attention: REVIEW });
  await at.clock.passes(minutes(60));
  expect((await at.ran())[0]?.env).toMatchObject({ LLMC_WORKER: 'adam', LLMC_WORKERS: 'adam', LLMC_STATUS: 'needs_review' });
});

test('a clock that is set back by a day does not delay a digest', async () => {
  using at = earshot(TEAM);
  for (const { name } of TEAM) at.becomes({ status: 'needs_review', attention: REVIEW }, name);
  await at.clock.passes(0);
  at.clock.setBack(minutes(24 * 60));
  await at.clock.passes(minutes(1));
  expect(await at.rings()).toBe(4);
});

test('a digest that was not due when the supervisor was killed goes out once after the restart', async () => {
  using at = earshot(TEAM, { command: 'true' });
  for (const { name } of TEAM.slice(0, 6)) at.becomes({ status: 'needs_review', attention: REVIEW }, name);
  await at.clock.passes(0);
  expect(await at.rings()).toBe(3);
  at.restart();
  at.becomes({ status: 'offline', status_before_offline: 'needs_review' }, 'w3');
  at.becomes({ status: 'idle', attention: null }, 'w4');
  await at.clock.passes(0);
  await at.clock.passes(minutes(1));
  expect(await at.rings()).toBe(4);
  expect((await at.ran()).at(-1)?.env).toMatchObject({ LLMC_WORKERS: 'w3 w5', LLMC_STATUS: 'digest' });
  at.restart();
  await at.clock.passes(0);
  await at.clock.passes(minutes(5));
  expect(await at.rings()).toBe(4);
});

test('a root that cannot be written notifies once for all workers, and again only if it lasts', async () => {
  using at = earshot([aWorker(), aWorker({ name: 'eve' })], { terminal: true });
  at.cannotWrite('disk_full');
  await at.clock.passes(0);
  expect(at.notes).toEqual([{ title: 'llmc cannot write: the disk is full', text: expect.stringContaining('df -h ') }]);
  at.canWrite();
  at.cannotWrite('disk_full');
  await at.clock.passes(60_000);
  expect(await at.rings()).toBe(1);
  await at.clock.passes(10 * 60_000);
  at.cannotWrite('read_only');
  await at.clock.passes(0);
  expect(await at.rings()).toBe(2);
});

test('a second outage soon after the first one notifies too if it lasts', async () => {
  using at = earshot(aWorker());
  at.cannotWrite('disk_full');
  await at.clock.passes(0);
  at.canWrite();
  at.cannotWrite('disk_full');
  await at.clock.passes(60_000);
  expect(await at.rings()).toBe(1);
  for (let minutes = 0; minutes < 60; minutes += 1) await at.clock.passes(60_000);
  expect(await at.rings()).toBe(2);
});

test('many outages in quiet hours are one notice at their end', async () => {
  using at = earshot(aWorker(), { quiet: '11:00-13:00' });
  for (let outages = 0; outages < 4; outages += 1) {
    at.canWrite();
    at.cannotWrite('disk_full');
    for (let minutes = 0; minutes < 12; minutes += 1) await at.clock.passes(60_000);
  }
  for (let minutes = 0; minutes < 60; minutes += 1) await at.clock.passes(60_000);
  expect(await at.rings()).toBe(1);
});

test('in quiet hours a root that cannot be written notifies at their end, if that lasts', async () => {
  using over = earshot(aWorker(), { quiet: '11:00-13:00' });
  over.cannotWrite('disk_full');
  over.canWrite();
  await over.clock.passes(2 * 3_600_000);
  expect(await over.rings()).toBe(0);
});

test('a worker of a run calls no person itself, unless its work is offered for review', async () => {
  using person = earshot(aWorker({ status: 'working', run: ofRun({ task: { id: 'a1', kind: 'work' } }) }));
  person.becomes({ status: 'needs_input', attention: askedBy(PERMISSION) });
  person.becomes({ status: 'error', attention: { kind: 'crashed', endings: 1 } });
  expect(await person.rings()).toBe(0);
  person.becomes({ status: 'needs_review', attention: REVIEW, run: ofRun({ task: { id: 'l1', kind: 'review' } }) });
  expect(await person.rings()).toBe(1);
});
