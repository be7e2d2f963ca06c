import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeSafe, normalise } from './safe-text.ts';
import { readSubmission } from './tui/command.ts';
import { FIRST_STATE } from './tui/model.ts';
import { press } from './tui/press.ts';
import { EMPTY_DRAFT, insertPaste } from './tui/screen/draft.ts';
import { createDecoder } from './tui/screen/keys.ts';

describe('safe text', () => {
  test.for([
    ['plain text', 'plain text', 0],
    ['/tmp/file is odd', '/tmp/file is odd', 0],
    ['!ls', 'Message:\n!ls', 1],
    ['/clear', 'Message:\n/clear', 1],
    [' quit ', 'Message:\n quit ', 1],
    ['path\\', 'path\\ ', 1],
    ['a\r\nb\u001b[201~c\u0000', 'a\nb[201~c', 2],
    ['tab\tand\nline', 'tab\tand\nline', 0],
  ] as const)('of %j is %j', ([text, safe, changes]) => {
    expect(makeSafe(text).text).toBe(safe);
    expect(makeSafe(text).changes).toHaveLength(changes);
  });

  const risky = fc.tuple(
    fc.constantFrom('', '!', '/', '/clear', ' /x', 'exit', 'quit', '\n!', '\u001b'),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', '\\', '\\\\'),
  );

  test('passes through the input box as one whole prompt, for any text', () => {
    fc.assert(
      fc.property(risky, (parts) => {
        const { text } = makeSafe(parts.join(''));
        fc.pre(text.trim() !== '');
        const [pasted] = createDecoder().feed(Buffer.from(`\u001b[200~${text}\u001b[201~`));
        expect(pasted).toEqual({ kind: 'paste', text: text.toWellFormed() });
        const { effect } = press({ ...FIRST_STATE, draft: insertPaste(EMPTY_DRAFT, text) }, { kind: 'key', name: 'enter' }, 0);
        expect(effect).toEqual({ kind: 'submit', text });
        expect(readSubmission(text).kind).toBe('prompt');
      }),
    );
  });

  test('is unchanged when made safe again, up to normalisation', () => {
    fc.assert(
      fc.property(risky, (parts) => {
        const once = makeSafe(parts.join('')).text;
        expect(normalise(makeSafe(once).text)).toBe(normalise(once));
      }),
    );
  });
});
