import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../store/tables/deliveries.ts';
import { aDelivery } from '../samples.ts';
import { collectOwners, parseRecordedEntries, type RecordEntry } from './recorded.ts';

const trim = (text: string) => text.trim();
const typed = (id: string, typed_ms: number | null, text = 'go'): Delivery => aDelivery({ id, typed_ms, sent_text: text });
/** Typed when the record of conversation c had this many bytes. */
const marked = (id: string, record_bytes: number, typed_ms: number, record_conversation = 'c'): Delivery =>
  aDelivery({ id, typed_ms, sent_text: 'go', record_bytes, record_conversation });
const entry = (at: number, text = 'go', offset = 0): RecordEntry => ({ at, text, offset });

describe('an entry of a record belongs to the delivery that was typed before it', () => {
  test.each<[string, readonly RecordEntry[], readonly Delivery[], readonly string[]]>([
    ['whatever blanks the record adds', [entry(5, ' go ')], [typed('a', 1)], ['a']],
    ['not one that is typed later, however soon', [entry(5)], [typed('a', 6)], []],
    ['not one that was never typed', [entry(5)], [typed('a', null)], []],
    ['not one with other words', [entry(5, 'stop')], [typed('a', 1)], []],
    ['of the same words sent twice, the one typed last before it', [entry(5)], [typed('a', 1), typed('b', 4)], ['b']],
    ['so the entry of the first does not acknowledge the second', [entry(3)], [typed('a', 1), typed('b', 4)], ['a']],
    ['with a person’s words too, where no delivery has exactly its words', [entry(5, 'go, please')], [typed('a', 1)], ['a']],
    ['but not by chance', [entry(5, 'why? go and see')], [typed('a', 1), typed('b', 1, 'y')], []],
    ['and one with exactly its words comes first', [entry(5, 'go, now')], [typed('a', 4), typed('b', 1, 'go, now')], ['b']],
    ['a delivery that has its own takes no other', [entry(5), entry(6, 'go, now')], [typed('a', 4)], ['a']],
    ['the box held only the one typed last', [entry(6, 'go, now')], [typed('a', 1), typed('b', 4, 'stop')], []],
    ['and each has its own', [entry(3), entry(5)], [typed('b', 4), typed('a', 1)], ['a', 'b']],
    ['by its place in the record, after the clock was set back', [entry(5, 'go', 30)], [marked('a', 30, 900)], ['a']],
    ['by its place in the record, after the clock was set forward', [entry(900, 'go', 10)], [marked('a', 30, 5)], []],
    ['of the same words, by the places of both', [entry(5, 'go', 30)], [marked('a', 10, 900), marked('b', 30, 4)], ['b']],
    ['by its time in another conversation', [entry(5, 'go', 30)], [marked('a', 10, 900, 'other')], []],
  ])('%s', (_, entries, rows, owners) => {
    expect([...collectOwners(entries, rows, 'c', trim)]).toEqual(owners);
  });
});

test('each entry knows the byte at which its line begins', () => {
  const transcript = { path: () => undefined, prompts: (text: string) => (text === '' ? [] : [{ text, at: 1 }]) };
  const record = { state: 'read', text: 'é\n\nb\n', start: 7, size: 13 } as const;
  expect(parseRecordedEntries(transcript, record)).toEqual([entry(1, 'é', 7), entry(1, 'b', 11)]);
  expect(parseRecordedEntries(transcript, { state: 'absent' })).toEqual([]);
});
