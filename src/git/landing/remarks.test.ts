import { describe, expect, test } from 'vitest';
import { composeMessage } from './message.ts';
import { isAboutReview, type Remark, withoutRemarks } from './remarks.ts';

const REMARKS: readonly Remark[] = [
  { at: null, text: 'Almost there.\nPlease spell the numbers in capitals.' },
  { at: 'src/a.ts:12', text: 'Off by one: the list can be empty' },
  { at: 'src/b.ts:3', text: 'Typo' },
];

describe('a message without the remarks of the review', () => {
  test.each([
    'At src/a.ts:12: Off by one: the list can be empty',
    '- At src/a.ts:12: off by one: the list can be empty',
    '> src/a.ts:12: "Off by one: the list can be empty"',
    '* Off by one: the list can be empty',
    '2. Please spell the numbers in capitals.',
    'At src/b.ts:3: Typo',
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
  test.each(['Address the review', 'fix: address review comments', 'Apply all review feedback.', 'Addressed code review'])(
    '%j says nothing about the change',
    (message) => {
      expect(composeMessage(['Add a parser\n\nIt reads tables.', message], [])).toBe('Add a parser\n\nIt reads tables.');
      expect(composeMessage([message], [])).toBe(message);
    },
  );

  test('one whose message is a remark says nothing either, unless all are', () => {
    const remark = 'Please spell the numbers in capitals';
    expect(composeMessage(['Add a parser', `${remark}.`], [], REMARKS)).toBe('Add a parser');
    expect(composeMessage([`${remark}.`], [], REMARKS)).toBe(`${remark}.`);
  });

  test.each(['Address the review queue in the view', 'Fix reviews of empty files', 'Review the parser'])('%j does', (message) => {
    expect(isAboutReview(message, REMARKS)).toBe(false);
  });
});
