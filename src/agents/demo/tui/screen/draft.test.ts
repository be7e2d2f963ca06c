import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backspace, contentOf, deleteForward, EMPTY_DRAFT, insertPaste, insertText, killLine, move, shownParts } from './draft.ts';

const pasted = (text: string) => shownParts(insertPaste(EMPTY_DRAFT, text)).join('');

describe('the draft', () => {
  test.for([
    ['x'.repeat(800), 'x'.repeat(800)],
    ['x'.repeat(801), '[Pasted text #1]'],
    ['a\nb\nc', 'a\nb\nc'],
    ['a\nb\nc\nd', '[Pasted text #1 +3 lines]'],
    [Array.from({ length: 30 }, () => 'line').join('\n'), '[Pasted text #1 +29 lines]'],
  ] as const)('shows a paste of %j as it should', ([text, shown]) => {
    expect(pasted(text)).toBe(shown);
  });

  test('submits exactly what was typed and pasted', () => {
    const piece = fc.record({ paste: fc.boolean(), text: fc.string({ unit: 'binary', maxLength: 1_000 }) });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        const draft = pieces.reduce((before, { paste, text }) => (paste ? insertPaste : insertText)(before, text), EMPTY_DRAFT);
        expect(contentOf(draft)).toBe(pieces.map(({ text }) => text).join(''));
      }),
    );
  });

  test('numbers folded pastes until it is empty again', () => {
    const long = 'x'.repeat(900);
    const two = insertPaste(insertPaste(EMPTY_DRAFT, long), long);
    expect(shownParts(two)[0]).toBe('[Pasted text #1][Pasted text #2]');
    expect(shownParts(insertPaste(backspace(backspace(two)), long))[0]).toBe('[Pasted text #1]');
  });

  test('is edited at the cursor', () => {
    const typed = insertText(EMPTY_DRAFT, 'ab👩‍👩‍👧d');
    expect(contentOf(backspace(move(typed, 'left')))).toBe('abd');
    expect(contentOf(insertText(move(typed, 'home'), '>'))).toBe('>ab👩‍👩‍👧d');
    expect(contentOf(deleteForward(move(typed, 'home')))).toBe('b👩‍👩‍👧d');
    expect(move(move(typed, 'home'), 'end').cursor).toBe(4);
  });

  test('loses one line per Ctrl-U, the break included', () => {
    let draft = insertText(EMPTY_DRAFT, 'one\ntwo\nthree');
    const seen: string[] = [];
    for (let press = 0; press < 6; press += 1) {
      draft = killLine(draft);
      seen.push(contentOf(draft));
    }
    expect(seen).toEqual(['one\ntwo\n', 'one\ntwo', 'one\n', 'one', '', '']);
  });
});
