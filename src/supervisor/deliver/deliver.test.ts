import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchWork } from '../../../test/support/scratch-work.ts';
import type { Command } from '../../base/command.ts';
import type { Finished } from '../../base/ports.ts';
import { findDelivery, insertDelivery, updateDelivery } from '../../store/tables/deliveries.ts';
import { recentEvents } from '../../store/tables/events.ts';
import { recentHistory } from '../../store/tables/history.ts';
import { Terminal } from '../../terminal/terminal.ts';
import { PANE_FIELDS } from '../../terminal/tmux-commands.ts';
import { loadAgent } from '../../workers/context.ts';
import { anAssessment, aReading, aTmuxWatch, aWatch, READY } from '../samples.ts';
import { deliverStep } from './deliver.ts';

test('a new start for the last attempt that is not possible leaves no record, however often it is tried', async () => {
  const worker = { agent: 'demo', status: 'working', incarnation: 1 } as const;
  await using work = await scratchWork({ repo: '[agents.demo]\ncommand = "/nowhere/agent"', worker });
  const { store, clock, layout, files } = work.context;
  const lost = { state: 'queued', attempt: 2, incarnation: 1, reason: { kind: 'never_reported' } } as const;
  insertDelivery(store.database, { id: 'd', worker: 'adam', purpose: 'message', text: 'go', fresh_conversation: 0, created_ms: 1 });
  updateDelivery(store.database, 'd', { ...lost, typed_ms: 1, sent_text: 'go' });
  const now = clock.now();
  const watch = aWatch({ now, assessment: anAssessment(READY), tmux: aTmuxWatch() });
  const screen = { lines: ['here'], width: 80, height: 24 };
  watch.screen = { ...watch.screen, capture: { screen, reading: aReading(READY), since: 0, at: now, stillSince: 0, essence: '' } };
  const config = await work.context.config();
  const history = () => recentHistory(store.database, 'adam', 9).length;
  const before = { history: history(), logs: files.names(layout.logs, 99) };
  for (let pass = 0; pass < 3; pass += 1)
    await expect(deliverStep(work.context, watch, loadAgent(config, 'demo'), config)).rejects.toThrow(/nowhere/);
  expect({ history: history(), logs: files.names(layout.logs, 99) }).toEqual(before);
  expect(findDelivery(store.database, 'd')).toMatchObject(lost);
});

test('llmc reads every report before it types, so that the report of the same words sent before gets a lower number', async () => {
  await using work = await scratchWork({ worker: { agent: 'demo', status: 'working', incarnation: 1 } });
  const { store, clock, layout, files } = work.context;
  insertDelivery(store.database, { id: 'd', worker: 'adam', purpose: 'message', text: 'go', fresh_conversation: 0, created_ms: 1 });
  const now = clock.now();
  const watch = aWatch({ now, assessment: anAssessment(READY), tmux: aTmuxWatch() });
  const screen = { lines: ['> '], width: 80, height: 24 };
  watch.screen = { ...watch.screen, capture: { screen, reading: aReading(READY), since: 0, at: now, stillSince: 0, essence: '' } };
  // Written after the last pass has read the spool.
  files.makeFolder(layout.spool('adam'));
  files.writePrivate(join(layout.spool('adam'), '1~prompt_accepted~7.json'), JSON.stringify({ text: 'go' }));
  const config = await work.context.config();
  expect(await deliverStep(work.context, watch, loadAgent(config, 'demo'), config), 'it is decided again').toBe(true);
  expect(recentEvents(store.database, 'adam', 9)).toHaveLength(1);
  expect(findDelivery(store.database, 'd')).toMatchObject({ state: 'queued', attempt: 0, typed_ms: null });
});

test('a step that an ordinary delivery does not have goes into the recovery log', async () => {
  await using work = await scratchWork({ worker: { agent: 'demo', status: 'working', incarnation: 1 } });
  const { store, clock } = work.context;
  const heard: [string, boolean | undefined][] = [];
  store.onCommit(({ summary, recovers }) => heard.push([summary.slice(3), recovers]));
  insertDelivery(store.database, { id: 'd', worker: 'adam', purpose: 'message', text: 'go', fresh_conversation: 0, created_ms: 1 });
  updateDelivery(store.database, 'd', { state: 'submitted', attempt: 1, incarnation: 0, typed_ms: 1, submitted_ms: 1, sent_text: 'go' });
  const watch = aWatch({ now: clock.now(), assessment: anAssessment({ kind: 'starting' }), tmux: aTmuxWatch() });
  const config = await work.context.config();
  for (let pass = 0; pass < 2; pass += 1) await deliverStep(work.context, watch, loadAgent(config, 'demo'), config);
  expect(heard).toEqual([
    [expect.stringMatching(/^queued again/), true],
    [expect.stringMatching(/^held/), false],
  ]);
});

const RULE = '─'.repeat(40);

/** A tmux with one pane that shows what is pasted, and keeps it when the program ends with the paste. It has not drawn yet that the pane is dead. */
function tmuxWithBox({ endsAtPaste }: { readonly endsAtPaste: boolean }) {
  const keys: string[] = [];
  let [draft, dead, loaded] = ['', '0', ''];
  const answer = ([verb = '', ...args]: readonly string[], stdin = ''): string => {
    if (verb === 'load-buffer') loaded = stdin;
    if (verb === 'if-shell') [draft, dead] = [loaded, endsAtPaste ? '1' : '0'];
    if (verb === 'send-keys') keys.push(args.at(-1) ?? '');
    if (verb === 'display-message') return `${args.at(-1)}\n`;
    if (verb === 'capture-pane') return `${RULE}\n❯\u00a0${draft}\n${RULE}\n  demo agent\n`;
    const fields: Readonly<Record<string, string>> = { session_name: 'llmc-adam', pane_id: '%1', pane_dead: dead, '@llmc_mark': 'agent' };
    return verb === 'list-panes' ? `${PANE_FIELDS.map((field) => fields[field] ?? '').join('\t')}\n` : '';
  };
  const run = async (command: Command): Promise<Finished> => {
    const called = command.args.slice(5).join(' ').split(' ; ');
    const stdout = called.map((words) => answer(words.split(' '), command.stdin)).join('');
    return { command, outcome: { kind: 'exited', status: 0 }, stdout, stderr: '', truncated: false };
  };
  return { keys, terminal: new Terminal('/nowhere/tmux.sock', { run }) };
}

test.for([
  { agent: 'demo', endsAtPaste: false },
  { agent: 'demo', endsAtPaste: true },
  { agent: 'any', endsAtPaste: false },
  { agent: 'any', endsAtPaste: true },
])('$agent gets its Enter only while it runs, whatever its last frame shows: ended $endsAtPaste', async ({ agent: name, endsAtPaste }) => {
  const { keys, terminal } = tmuxWithBox({ endsAtPaste });
  const worker = { agent: name, status: 'working', incarnation: 1 } as const;
  await using work = await scratchWork({ repo: '[agents.any]\ncommand = "any"', worker, context: { terminal } });
  const { store, clock } = work.context;
  insertDelivery(store.database, { id: 'd', worker: 'adam', purpose: 'message', text: 'go', fresh_conversation: 0, created_ms: 1 });
  const now = clock.now();
  const watch = aWatch({ now, assessment: anAssessment(READY), tmux: aTmuxWatch() });
  const screen = { lines: ['❯ '], width: 80, height: 24 };
  watch.screen = { ...watch.screen, capture: { screen, reading: aReading(READY), since: 0, at: now, stillSince: 0, essence: '' } };
  const config = await work.context.config();
  expect(await deliverStep(work.context, watch, loadAgent(config, name), config)).toBe(true);
  expect(keys).toEqual(endsAtPaste ? [] : ['Enter']);
  const sent = { state: 'submitted', submitted_ms: expect.any(Number) };
  expect(findDelivery(store.database, 'd')).toMatchObject({ attempt: 1, ...(endsAtPaste ? { state: 'typed', submitted_ms: null } : sent) });
});
