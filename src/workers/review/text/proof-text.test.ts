import { expect, test } from 'vitest';
import type { Proof } from '../../../proof/proof.ts';
import { proofLines } from './proof-text.ts';

const CLEAN: Proof = {
  stops: [],
  dropped: [],
  resurrected: [],
  replaced: [],
  notes: [],
  counts: { files: 2, dropped: 0, resurrected: 0, replaced: 0, unexplained: 0 },
};

const loss = { side: 'main', path: 'src/a.ts', line: 7, text: '  check(user);', explained: false } as const;

test('a clean proof is one line', () => {
  expect(proofLines('adam', CLEAN)).toEqual([
    'Conflict resolved by adam, no line of main or of the work is lost (2 files compared line by line).',
  ]);
});

test('lost lines come with their place, their side and the two commands', () => {
  const resurrected = [{ ...loss, side: 'worker', line: 9, text: 'legacy();' } as const];
  const counts = { ...CLEAN.counts, files: 1, dropped: 1, resurrected: 1, unexplained: 2 };
  expect(proofLines('adam', { ...CLEAN, dropped: [loss], resurrected, counts })).toEqual([
    '! Conflict resolved by adam, but 1 line is lost and 1 deleted line is back (1 file compared line by line).',
    '  - src/a.ts:7 of main: check(user);',
    '  + src/a.ts:9 deleted by the work: legacy();',
    "Send it back: llmc reject --worker adam '…'   or land it as it is: llmc accept adam --allow-dropped",
  ]);
});

test('a loss that a trailer explains is shown and asks for nothing', () => {
  const counts = { ...CLEAN.counts, dropped: 1 };
  expect(proofLines('adam', { ...CLEAN, dropped: [{ ...loss, explained: true }], counts })).toEqual([
    'Conflict resolved by adam, every lost line is explained in the commit message (2 files compared line by line).',
    '  Explained in the commit message:',
    '    - src/a.ts:7 of main: check(user);',
  ]);
});

test('what was replaced or recognised follows, with what stands there now', () => {
  const replaced = { side: 'main', path: 'a.ts', line: 1, text: 'timeout = 20', how: 'chosen', by: 'timeout = 30' } as const;
  const notes: Proof['notes'] = [
    { kind: 'moved', path: 'a.ts', to: 'b.ts', lines: 2 },
    { kind: 'reindented', path: 'a.ts', lines: 1 },
    { kind: 'line_endings', path: 'a.ts', now: 'crlf' },
    { kind: 'by_rule', path: 'package-lock.json' },
    { kind: 'too_large', path: 'data.json' },
  ];
  const proof = { ...CLEAN, replaced: [replaced], notes, counts: { ...CLEAN.counts, replaced: 1 } };
  expect(proofLines('adam', proof)).toEqual([
    'Conflict resolved by adam, no line of main or of the work is lost where llmc could compare (2 files compared line by line).',
    '  ~ a.ts:1 of main: timeout = 20 → chosen instead: timeout = 30',
    '  a.ts: 2 lines moved to b.ts',
    '  a.ts: 1 line with another indentation',
    '  a.ts: line ends are CR LF now',
    '  package-lock.json: config.toml has a rule for it, its lines are not compared',
    '  data.json: too large to compare, nothing is known about its lines',
  ]);
});

test('a hard stop offers no accept', () => {
  const stops: Proof['stops'] = [{ kind: 'markers', path: 'a.ts', line: 3 }, { kind: 'empty_change' }];
  expect(proofLines('adam', { ...CLEAN, stops })).toEqual([
    '! Conflict not resolved: 2 findings stop this work from landing.',
    '  ! a.ts:3: conflict markers are left',
    '  ! nothing of the work is left: the result is main itself',
    "Send it back: llmc reject --worker adam '…'",
  ]);
});

test('a long list is cut, and text of an agent can forge no line', () => {
  const dropped = Array.from({ length: 12 }, (_, line) => ({ ...loss, path: 'a\nb', line, text: 'x\u001b[31m' }));
  const printed = proofLines('adam', { ...CLEAN, dropped, counts: { ...CLEAN.counts, dropped: 300, unexplained: 300 } });
  expect(printed[0]).toContain('300 lines are lost or came back');
  expect(printed[1]).toBe('  - a ⏎ b:0 of main: x<U+001B>[31m');
  expect(printed.at(-2)).toBe('  and 290 more: llmc review --json');
});
