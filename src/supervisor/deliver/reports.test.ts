import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../store/tables/deliveries.ts';
import type { Reported } from '../observe/reported.ts';
import { aDelivery } from '../samples.ts';
import { type ReporterFacts, reportsFor as reportsTo } from './reports.ts';

const trim = (text: string) => text.trim();
const typed = (text: string, after_event: number, changes: Partial<Delivery> = {}) =>
  aDelivery({ id: `${text}${after_event}`, sent_text: text, after_event, incarnation: 1, state: 'submitted', ...changes });
/** Acknowledged by the screen: its report is still to come, or lost. */
const believed = (text: string, after_event: number, changes: Partial<Delivery> = {}) =>
  typed(text, after_event, { state: 'done', acked_ms: 1_000, ack_source: 'screen', acked_event: null, ...changes });
const WITNESS: ReporterFacts = { incarnation: 1, tmuxAt: 10_000, personTypedAt: undefined };
const reportsFor = (
  row: Delivery,
  others: readonly Delivery[],
  accepted: Reported['accepted'],
  normalise: typeof trim,
  witness: Partial<ReporterFacts> = {},
) => reportsTo(row, others, accepted, { ...WITNESS, ...witness }, normalise);
const said = (...events: readonly (readonly [number, string])[]) => events.map(([seq, text]) => ({ seq, at: seq * 100, text }));

describe('a report of a prompt', () => {
  test('belongs to the prompt when it came after the typing, whatever blanks it ends with', () => {
    expect(reportsFor(typed('go', 4), [], said([5, 'go ']), trim)).toMatchObject({ own: { seq: 5 }, another: false });
    expect(reportsFor(typed('go', 4), [], said([3, 'go']), trim)).toMatchObject({ own: undefined, another: false });
  });

  test('belongs to another prompt when the text differs', () => {
    expect(reportsFor(typed('go', 4), [], said([5, 'stop']), trim)).toMatchObject({ own: undefined, another: true });
  });

  const LONG = 'go home before it gets dark';
  test.each([
    ['behind it', 'go home', 'go home, please'],
    ['in front of it', 'go home', 'please go home'],
    ['around a long one', LONG, `now ${LONG}, please`],
    ['into a long one', LONG, 'go straight home before it gets dark'],
  ])('belongs to the prompt when a person typed %s and pressed Enter', (_, text, sent) => {
    expect(reportsFor(typed(text, 4), [], said([5, sent]), trim)).toMatchObject({ own: { seq: 5, mixed: true }, another: false });
    expect(reportsFor(typed(text, 4), [], said([4, sent]), trim).own).toBeUndefined();
  });

  test.each([
    ['y', 'why is this failing? stop'],
    ['y', 'yes'],
    ['no', 'do that in the piano'],
    ['go on', 'got it; now move on'],
    ['go on', 'please go on, now'],
  ])('does not belong to the short prompt %j, which occurs in %j by chance', (text, sent) => {
    expect(reportsFor(typed(text, 4), [], said([5, sent]), trim)).toMatchObject({ own: undefined, another: true });
  });

  test.each<[string, Partial<ReporterFacts>, boolean]>([
    ['in another life of the agent', { incarnation: 2 }, false],
    ['and tmux saw no key since the typing', { personTypedAt: 1_900 }, false],
    ['and tmux saw a key, in seconds', { personTypedAt: 3_000 }, true],
    ['and tmux was not asked since', { personTypedAt: 1_900, tmuxAt: 4_000 }, true],
  ])('with more than the prompt, %s', (_, witness, mixed) => {
    const row = typed('go home', 4, { typed_ms: 3_900 });
    const reports = reportsFor(row, [], [{ seq: 5, at: 5_000, text: 'go home, please' }], trim, witness);
    expect(reports).toMatchObject({ own: mixed ? { seq: 5, mixed } : undefined, another: !mixed });
  });

  test('that an earlier prompt of this life waits for belongs to it, also when the prompt was typed in the life before', () => {
    const earlier = believed('go', 1, { incarnation: 2 });
    expect(reportsFor(typed('go', 1), [earlier], said([5, 'go']), trim, { incarnation: 2 })).toMatchObject({
      own: undefined,
      another: false,
    });
  });

  test.each(['go', 'home', 'go and stay', 'go ho'])('does not belong to a prompt of which a person sent less: %j', (sent) => {
    expect(reportsFor(typed('go home', 4), [], said([5, sent]), trim)).toMatchObject({ own: undefined, another: true });
  });

  test('of exactly the prompt counts before one that holds it', () => {
    const both = said([5, 'go home, please'], [6, 'go home']);
    expect(reportsFor(typed('go home', 4), [], both, trim)).toMatchObject({ own: { seq: 6, text: 'go home' }, another: true });
  });

  test('that an earlier prompt still waits for belongs to that prompt, and proves nothing else', () => {
    expect(reportsFor(typed('go', 4), [believed('before', 1)], said([5, 'before']), trim)).toMatchObject({
      own: undefined,
      another: false,
    });
  });

  test('with the same text as an earlier prompt that still waits for its own belongs to the earlier one first', () => {
    const earlier = [believed('go', 1)];
    expect(reportsFor(typed('go', 4), earlier, said([5, 'go']), trim).own).toBeUndefined();
    expect(reportsFor(typed('go', 4), earlier, said([5, 'go'], [6, 'go']), trim).own).toMatchObject({ seq: 6 });
    expect(reportsFor(typed('go', 4), earlier, said([3, 'go'], [5, 'go']), trim).own).toMatchObject({ seq: 5 });
  });

  test('that acknowledged another prompt belongs to that prompt for ever', () => {
    const first = typed('go', 1, { state: 'done', acked_ms: 500, acked_event: 5, ack_source: 'hook' });
    expect(reportsFor(typed('go', 4), [first], said([5, 'go']), trim)).toEqual({ own: undefined, another: false, late: [] });
    expect(reportsFor(typed('go', 4), [first], said([5, 'go'], [6, 'go']), trim).own).toMatchObject({ seq: 6 });
  });

  test('belongs to the prompt by its number, also when the clock was set back after the typing', () => {
    expect(reportsFor(typed('go', 4, { typed_ms: 3_600_000 }), [], said([5, 'go']), trim).own).toMatchObject({ seq: 5 });
  });

  test('that came late is kept with the prompt it acknowledges', () => {
    expect(reportsFor(typed('go', 4), [believed('go', 1)], said([5, 'go']), trim).late).toEqual([{ delivery: 'go1', event: 5 }]);
  });

  test('does not belong to a prompt of an earlier incarnation, one that had its report, or one that was never acknowledged', () => {
    for (const other of [believed('go', 1, { incarnation: 0 }), believed('go', 1, { acked_event: 2 }), typed('go', 1)])
      expect(reportsFor(typed('go', 4), [other], said([5, 'go']), trim).own).toMatchObject({ seq: 5 });
  });
});

describe('a report that is owed to an earlier prompt', () => {
  const late = (delivery: string, event: number) => ({ delivery, event });

  test('has its text: another one is not late', () => {
    expect(reportsFor(typed('go', 2), [believed('stop', 1)], said([3, 'go']), trim)).toEqual({
      own: expect.objectContaining({ seq: 3 }),
      another: false,
      late: [],
    });
  });

  test('came after its typing: one with the number of that moment is not late', () => {
    expect(reportsFor(typed('go', 4), [believed('go', 5)], said([5, 'go']), trim)).toMatchObject({ own: { seq: 5 }, late: [] });
  });

  test('settles the debts in the order of their typing', () => {
    const owed = [believed('go', 5), believed('go', 2)];
    expect(reportsFor(typed('go', 9), owed, said([6, 'go'], [7, 'go']), trim).late).toEqual([late('go2', 6), late('go5', 7)]);
  });

  test('has no id: the agent names the prompt of one that has', () => {
    const named = { seq: 3, at: 300, text: 'go', id: 'another' };
    expect(reportsFor(typed('go', 2), [believed('go', 1)], [named], trim)).toEqual({ own: undefined, another: true, late: [] });
  });
});

test('a prompt that was never typed owns no report', () => {
  expect(reportsFor(typed('go', 4, { sent_text: null }), [], said([5, 'go']), trim)).toMatchObject({ own: undefined, another: true });
});
