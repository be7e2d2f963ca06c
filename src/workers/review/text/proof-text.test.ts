import { expect, test } from 'vitest';
import type { Proof } from '../../../proof/proof.ts';
import { proofLines } from './proof-text.ts';

const LOOK = "Look at this, then: llmc accept adam   or send it back: llmc reject --worker adam '…'";

const CLEAN: Proof = {
  stops: [],
  dropped: [],
  resurrected: [],
  replaced: [],
  added: [],
  notes: [],
  counts: { files: 2, dropped: 0, resurrected: 0, replaced: 0, added: 0, unexplained: 0 },
};

const loss = { side: 'main', path: 'src/a.ts', line: 7, text: '  check(user);', by: null, origin: null, explained: false } as const;

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

test('a loss that a trailer explains is shown and asks for a look', () => {
  const counts = { ...CLEAN.counts, dropped: 1 };
  expect(proofLines('adam', { ...CLEAN, dropped: [{ ...loss, explained: true }], counts })).toEqual([
    '! Conflict resolved by adam, but one lost line is only explained (2 files compared line by line).',
    '  Explained in the commit message:',
    '  - src/a.ts:7 of main: check(user);',
    LOOK,
  ]);
});

test('what was replaced comes first, beside what stands there now, with the commit of main', () => {
  const origin = { commit: '0123456789abcdef', author: 'Jane', subject: 'Wait longer' };
  const replaced = { side: 'main', path: 'a.ts', line: 1, text: 'timeout = 20', how: 'chosen', by: 'timeout = 30', origin } as const;
  const notes: Proof['notes'] = [
    { kind: 'moved', path: 'a.ts', to: 'b.ts', lines: 2 },
    { kind: 'reindented', path: 'a.ts', lines: 1 },
    { kind: 'line_endings', path: 'a.ts', now: 'crlf' },
    { kind: 'by_rule', path: 'package-lock.json' },
    { kind: 'too_large', path: 'data.json' },
  ];
  const added = [{ path: 'a.ts', line: 4, text: '  if (false)' }];
  const proof = { ...CLEAN, replaced: [replaced], added, notes, counts: { ...CLEAN.counts, replaced: 1, added: 1 } };
  expect(proofLines('adam', proof)).toEqual([
    '! Conflict resolved by adam, but 1 line of main is replaced, 1 line is of neither side (2 files compared line by line).',
    '  ~ a.ts:1 of main (0123456789ab Jane: Wait longer): timeout = 20',
    '    → chosen instead: timeout = 30',
    '  + a.ts:4 of neither side: if (false)',
    '  ~ a.ts: 2 lines moved to b.ts',
    '  ~ a.ts: line ends are CR LF now',
    '  ~ data.json: too large to compare, nothing is known about its lines',
    '  a.ts: 1 line with another indentation',
    '  package-lock.json: config.toml has a rule for it, its lines are not compared',
    LOOK,
  ]);
});

test('an agent cannot push a replaced line of main off the list', () => {
  const many = Array.from({ length: 150 }, (_, line): Proof['replaced'][number] => ({
    side: line < 100 ? 'main' : 'worker',
    path: 'a.ts',
    line,
    text: `x${line}`,
    how: 'reworded',
    by: `y${line}`,
    origin: null,
  }));
  const printed = proofLines('adam', { ...CLEAN, replaced: many, counts: { ...CLEAN.counts, replaced: 150 } });
  expect(printed).toContain('  ~ a.ts:99 of main: x99');
  expect(printed).toContain('  and 50 more: llmc review --json');
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
  expect(printed.at(-2)).toBe('  and 288 more: llmc review --json');
});
