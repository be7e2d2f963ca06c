import { expect, test } from 'vitest';
import { aReading, BUSY, QUESTION, READY } from '../samples.ts';
import { type PatternView, wrongAtStart } from './wrong-pattern.ts';

const NOW = 1_000_000;
const ago = (seconds: number) => NOW - seconds * 1_000;
const UNKNOWN = aReading({ kind: 'unknown' }, { kind: 'absent' });

function view(changes: Partial<PatternView>): PatternView {
  const times = { since: ago(30), stillSince: ago(10), launchedAt: ago(40) };
  return { reading: { ...UNKNOWN, pattern: 'ready' }, ...times, wasReady: false, wasUsed: false, ...changes };
}

test.each<[string, Partial<PatternView>, string | undefined]>([
  ['a screen that no pattern has matched for long', {}, 'never_matched'],
  ['one that has shown for a short time', { since: ago(29) }, undefined],
  ['an agent that was launched a moment ago', { launchedAt: ago(20) }, undefined],
  ['a screen that still changes', { stillSince: ago(2) }, undefined],
  ['a screen that covers one that matched', { wasReady: true }, undefined],
  ['an agent that got a prompt, or has a person at it', { wasUsed: true }, undefined],
  ['an agent without patterns', { reading: UNKNOWN }, undefined],
  [
    'a busy screen that never changes',
    { reading: { ...aReading(BUSY), pattern: 'busy[0]' }, stillSince: ago(60), wasReady: true },
    'always_busy',
  ],
  ['a busy screen that changes now and then', { reading: { ...aReading(BUSY), pattern: 'busy[0]' }, stillSince: ago(40) }, undefined],
  ['a ready screen', { reading: { ...aReading(READY), pattern: 'ready[0]' } }, undefined],
  ['a question', { reading: { ...aReading(QUESTION), pattern: 'dialog[0]' } }, undefined],
])('%s', (_, changes, kind) => {
  expect(wrongAtStart(view(changes), NOW)?.kind).toBe(kind);
});
