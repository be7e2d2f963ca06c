import { describe, expect, test } from 'vitest';
import { composeMessage } from './message.ts';
import { isSaid, type Remark, type Reviewed, withoutRemarks } from './remarks.ts';

const REMARKS: readonly Remark[] = [
  { at: null, text: 'Almost there.\nPlease spell the numbers in capitals.' },
  { at: 'src/a.ts:12', text: 'Off by one: the list can be empty' },
  { at: 'src/b.ts:3', text: 'Typo' },
  // As it is sent, and as the person wrote it.
  { at: 'src/c.ts:3', text: '(about lines 1 to 3) Read the whole file at once, because a table that is cut is worse than none' },
  { at: null, text: 'Read the whole file at once, because a table that is cut is worse than none' },
];
const REVIEWED: Reviewed = { remarks: REMARKS, subject: 'Parse tables' };

describe('a message without the remarks of the review', () => {
  test.each([
    'At src/a.ts:12: Off by one: the list can be empty',
    '- At src/a.ts:12: off by one: the list can be empty',
    '> src/a.ts:12: "Off by one: the list can be empty"',
    '* Off by one: the list can be empty',
    '2. Please spell the numbers in capitals.',
    'At src/b.ts:3: Typo',
    'Review: Off by one: the list can be empty',
    'Review comment: "Please spell the numbers in capitals."',
    'Address review: spell the numbers in capitals',
    'At src/c.ts:3: (about lines 1 to 3) Read the whole file at once, because a table that is cut is worse than none',
    '(about lines 1 to 3) Read the whole file at once, because a table that is\ncut is worse than none.',
    '- Read the whole file at once, because\n  a table that is cut is worse\n  than none',
    'At src/a.ts:12: Off by one: the\nlist can be empty',
  ])('%j is left out', (line) => {
    expect(withoutRemarks(`Add a parser\n\nIt reads tables.\n\n${line}\n\nMore.`, REMARKS)).toBe(
      'Add a parser\n\nIt reads tables.\n\nMore.',
    );
  });

  test.each([
    'The loop was off by one: the list can be empty, so begin at 0.',
    'src/a.ts:12 now checks that the list has an element.',
    'Typo',
    'Signed-off-by: A <a@b>',
  ])('%j stays', (line) => {
    const message = `Add a parser\n\n${line}`;
    expect(withoutRemarks(message, REMARKS)).toBe(message);
  });

  test('the subject stays, and without a review nothing changes', () => {
    expect(withoutRemarks('Please spell the numbers in capitals.', REMARKS)).toBe('Please spell the numbers in capitals.');
    expect(withoutRemarks('A\n\n\n\nAt src/a.ts:12: x', [])).toBe('A\n\n\n\nAt src/a.ts:12: x');
  });
});

describe('several commits', () => {
  const composed = (...messages: string[]) => composeMessage(messages, [], REVIEWED);

  test.each([
    'Address the review',
    'fix: address review comments',
    'Apply all review feedback.',
    'Addressed code review',
    'Resolve reviewer suggestions',
    'Please spell the numbers in capitals.',
    'Address review: spell the numbers in capitals',
    'Review: Off by one: the list can be empty',
  ])('%j says nothing about the change', (message) => {
    expect(composed('Add a parser\n\nIt reads tables.', message)).toBe('Add a parser\n\nIt reads tables.');
    expect(composed(`${message}\n\nNumbers are in capitals.`, 'Add a parser')).toBe('Add a parser\n\nNumbers are in capitals.');
    expect(composed(`${message}\n\nNumbers are in capitals.`)).toBe('Parse tables\n\nNumbers are in capitals.');
    expect(composeMessage([message], [], { ...REVIEWED, subject: null })).toBe(message);
  });

  test.each(['Resolve reviewer suggestions', 'Address the review', 'Please spell the numbers in capitals.'])(
    '%j stays if nobody has reviewed the work',
    (message) => {
      expect(composeMessage(['Add a parser', message], [])).toBe(`Add a parser\n\n${message}`);
    },
  );

  test('a subject that is a wrapped remark makes room for that of the task, above the trailers', () => {
    const wrapped = 'Read the whole file at once, because a table that is\ncut is worse than none';
    expect(composed(`${wrapped}\n\nSigned-off-by: A <a@b>`)).toBe('Parse tables\n\nSigned-off-by: A <a@b>');
  });

  test.each(['Address the review queue in the view', 'Fix reviews of empty files', 'Review the parser', 'Handle comments'])(
    '%j does',
    (message) => {
      expect(isSaid(message, REMARKS)).toBe(false);
    },
  );
});
