import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { InputBox } from '../../../agents/agent.ts';
import { boxHolds, boxHoldsOnly } from './input-box.ts';

const shows = (text: string): InputBox => ({ kind: 'text', text });
const folds = (moreLines?: number) => ({
  kind: 'folded' as const,
  text: '[Pasted text #1]',
  ...(moreLines !== undefined && { moreLines }),
});

const LONG = 'a line that is longer than forty characters, and ends here\nand the last one, which is long enough as well to be told apart';

describe('how much of a text the box holds', () => {
  test.each<[string, InputBox, string, ReturnType<typeof boxHolds>]>([
    ['no box holds nothing', { kind: 'absent' }, 'Fix it', 'nothing'],
    ['an empty box holds nothing', { kind: 'empty' }, 'Fix it', 'nothing'],
    ['the text itself', shows('Fix it'), 'Fix it', 'whole'],
    ['the text, wrapped by the box', shows('Fix\n  it now'), 'Fix it now', 'whole'],
    ['the text, with blanks at its end cut off', shows('Fix it'), 'Fix it  \n', 'whole'],
    ['a no-break space where a blank was', shows('Fix\u00a0it'), 'Fix it', 'whole'],
    ['only the beginning', shows('Fix'), 'Fix it now', 'part'],
    ['the end of a tall text, as it scrolls in its box', shows(LONG.slice(-60)), LONG, 'whole'],
    ['an end too short to be sure of', shows('it now'), 'Fix it now', 'other'],
    ['something else', shows('my own words'), 'Fix it', 'other'],
    ['the text with other words after it', shows('Fix it, please'), 'Fix it', 'other'],
    ['the text with other words before it', shows('please Fix it'), 'Fix it', 'other'],
    ['emoji as tmux shows them: without skin tones, joined ones apart', shows('Fix 👍 👩 💻 now'), 'Fix 👍🏽 👩‍💻 now', 'whole'],
    ['nothing but emoji', shows('👍'), '👍🏽', 'whole'],
    ['accents apart from their letters, and marks that are not drawn', shows('é می خواهم'), 'e\u0301 می\u200cخواهم', 'whole'],
    ['other words beside an emoji', shows('👍 my own'), '👍', 'other'],
    ['the text twice', shows('Fix it Fix it'), 'Fix it', 'twice'],
    ['the text twice, the second still arriving', shows('Fix it nowFix'), 'Fix it now', 'twice'],
    ['the text three times', shows('Fix itFix itFix it'), 'Fix it', 'twice'],
    ['a fold, and the end of the text as it is', { ...folds(2), beside: true, pieces: [2, 'last'] }, 'a\nb\nlast', 'whole'],
    ['a fold that ends before the line end', { ...folds(1), beside: true, pieces: [1, 'last'] }, 'a\nb\nlast', 'whole'],
    ['two folds and texts around them', { ...folds(1), beside: true, pieces: ['a', 1, 2, 'd', 1, 'f'] }, 'a\nb\nc\nc\nd\ne\nf', 'whole'],
    ['a fold of too few lines before the end of the text', { ...folds(1), beside: true, pieces: [0, 'last'] }, 'a\nb\nlast', 'other'],
    ['a fold of too many lines before the end of the text', { ...folds(3), beside: true, pieces: [3, 'last'] }, 'a\nb\nlast', 'other'],
    ['a fold of all lines, and words of a person', { ...folds(2), beside: true, pieces: [2, 'please'] }, 'a\nb\nlast', 'other'],
    ['a fold of all lines, and the end once more', { ...folds(2), beside: true, pieces: [2, 'alast'] }, 'alast', 'other'],
    ['two folds of one line each', { ...folds(0), further: 'alike', pieces: [0, 0] }, 'a', 'twice'],
    ['our fold behind the words of a person', { ...folds(2), beside: true, pieces: ['fg', 2] }, 'a\nb\nlast', 'other'],
    ['two folds of as many lines', { ...folds(2), further: 'alike' }, 'a\nb\nc', 'twice'],
    ['two folds without a count', { ...folds(), further: 'alike' }, 'a\nb\nc', 'twice'],
    ['a fold of a person beside ours', { ...folds(2), further: 'different' }, 'a\nb\nc', 'other'],
    ['two folds of a person', { ...folds(7), further: 'alike' }, 'a\nb\nc', 'other'],
    ['our fold among the words of a person', { ...folds(2), beside: true }, 'a\nb\nc', 'other'],
    ['a text that repeats itself', shows('go go go'), 'go go go', 'whole'],
    ['a box of blanks', shows('  '), 'Fix it', 'other'],
    [
      'a text that looks like a fold',
      { kind: 'folded', text: 'see [Pasted text #1 +9 lines]', moreLines: 9, beside: true },
      'see [Pasted text #1 +9 lines]',
      'whole',
    ],
    ['a fold of as many lines', folds(2), 'one\ntwo\nthree', 'whole'],
    ['a fold of fewer lines', folds(1), 'one\ntwo\nthree', 'part'],
    ['a fold without a count', folds(), 'one\ntwo\nthree', 'whole'],
  ])('%s', (_, box, text, expected) => {
    expect(boxHolds(box, text)).toBe(expected);
  });

  const words = fc.string({ unit: 'grapheme-ascii', minLength: 1 }).filter((text) => text.trim() !== '');

  test('a text is recognised however the box breaks it into rows', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 20 }), (text, width) => {
        const rows = text.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
        expect(boxHolds(shows(rows.map((row) => row.trimEnd()).join('\n')), text)).toBe('whole');
      }),
    );
  });

  test('the beginning of a text never counts as all of it', () => {
    fc.assert(
      fc.property(words, fc.nat(), (text, cut) => {
        const solid = text.replaceAll(/\s/g, '');
        fc.pre(solid.length > 1);
        const beginning = solid.slice(0, 1 + (cut % (solid.length - 1)));
        // One letter over and over: its beginning is also its end, which a box that scrolls would show.
        fc.pre(beginning.length < 40 || !solid.endsWith(beginning));
        expect(boxHolds(shows(beginning), text)).toBe('part');
      }),
    );
  });
});

describe('what llmc may remove from the box', () => {
  test.each<[string, InputBox, string, boolean]>([
    ['a text of llmc', shows('Fix it'), 'Fix it', true],
    ['a fold of exactly as many lines', folds(2), 'one\ntwo\nthree', true],
    ['never a fold of more lines: a person pasted that', folds(30), 'one\ntwo\nthree', false],
    ['never two folds', { ...folds(2), further: 'alike' }, 'one\ntwo\nthree', false],
    ['never a fold among other words', { ...folds(2), beside: true }, 'one\ntwo\nthree', false],
    ['never a fold without a count', folds(), 'one\ntwo\nthree', false],
    ['never a beginning: a person may be typing it', shows('Fix'), 'Fix it', false],
    ['never anything else', shows('my own words'), 'Fix it', false],
    ['nothing there', { kind: 'empty' }, 'Fix it', false],
    ['no box', { kind: 'absent' }, 'Fix it', false],
  ])('%s', (_, box, text, expected) => {
    expect(boxHoldsOnly(box, text)).toBe(expected);
  });
});
