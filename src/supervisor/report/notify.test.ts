import { expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import type { Assessment } from '../../agents/activity.ts';
import type { Command } from '../../base/command.ts';
import type { Processes } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import type { Attention, Trouble } from '../../store/attention.ts';
import type { Worker } from '../../store/state.ts';
import { Terminal } from '../../terminal/terminal.ts';
import { aConfig, aState, aWorker } from '../../workers/samples.ts';
import { anAssessment, aWatch, PERMISSION, READY } from '../samples.ts';
import { askedBy } from './attention.ts';
import { notifier } from './notify.ts';

const REVIEW: Attention = { kind: 'review', uncommitted: false };

/** One worker, a person who is notified, and how often the bell rang. */
function earshot(worker: Worker, notify: Partial<Config['notify']> = {}) {
  const scratch = scratchStore(aState(worker));
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
  const context = { store, processes, terminal, layout: scratch.layout, config: () => Promise.resolve(config) };
  const notices = notifier(context, { watchOf: () => aWatch({ assessment }), troubleOf: () => trouble }, () => {
    rang += 1;
  });
  store.onCommit(() => notices.check('adam'));
  return {
    async ran(): Promise<readonly Command[]> {
      await new Promise((resolve) => setImmediate(resolve));
      return ran;
    },
    async rings(): Promise<number> {
      await new Promise((resolve) => setImmediate(resolve));
      return rang;
    },
    becomes(changes: Partial<Worker>): void {
      store.commit({ worker: 'adam', kind: 'status', summary: '', state: ({ workers }) => Object.assign(workers.adam ?? {}, changes) });
    },
    fails(message: string | undefined): void {
      trouble = message === undefined ? undefined : { kind: 'trouble', message, hint: null };
      notices.check('adam');
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
  expect(command?.env?.LLMC_REASON?.length).toBe(4_000);
  expect(desktop?.args.at(-1)).toContain(shown.replaceAll('<', process.platform === 'darwin' ? '<' : '&lt;'));
});
