import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDecoder, type Input } from './keys.ts';

const key = (name: string) => ({ kind: 'key', name });
const text = (typed: string) => ({ kind: 'text', text: typed });
const paste = (pasted: string) => ({ kind: 'paste', text: pasted });

function read(...chunks: (string | Uint8Array)[]): Input[] {
  const decoder = createDecoder();
  return chunks.flatMap((chunk) => decoder.feed(typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
}

describe('the key decoder', () => {
  test.for([
    ['\r', [key('enter')]],
    ['\u001b\r', [key('newline')]],
    ['\n', [key('newline')]],
    ['\u007f', [key('backspace')]],
    ['\u0003', [key('ctrl-c')]],
    ['\u0015', [key('ctrl-u')]],
    ['\u001b[A\u001bOB', [key('up'), key('down')]],
    ['\u001b[D\u001b[C\u001b[H\u001b[F\u001b[3~', [key('left'), key('right'), key('home'), key('end'), key('delete')]],
    ['\u001b[I\u001b[O', []],
    ['\u001bx', []],
    ['é', [text('é')]],
    ['\r\r', [key('enter'), key('enter')]],
  ] as const)('reads %j', ([bytes, inputs]) => {
    expect(read(bytes)).toEqual(inputs);
  });

  test('keeps a character whole whose bytes come in two reads', () => {
    const bytes = Buffer.from('漢🎉');
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const typed = read(bytes.subarray(0, cut), bytes.subarray(cut));
      expect(typed.map((input) => (input.kind === 'text' ? input.text : '?')).join('')).toBe('漢🎉');
    }
  });

  test('reads a bracketed paste exactly, wherever the reads are cut', () => {
    const content = fc.string({ unit: 'grapheme', maxLength: 60 }).map((any) => any.replaceAll('\u001b', '').replace(/\r\n?/g, '\n'));
    fc.assert(
      fc.property(content, fc.nat(), (pasted, at) => {
        const bytes = Buffer.from(`\u001b[200~${pasted}\u001b[201~\r`);
        const cut = at % bytes.length;
        expect(read(bytes.subarray(0, cut), bytes.subarray(cut))).toEqual([paste(pasted), key('enter')]);
      }),
    );
  });

  test('treats the CR of a paste as a line break', () => {
    expect(read('\u001b[200~a\rb\r\nc\u001b[201~')).toEqual([paste('a\nb\nc')]);
  });

  test('treats text and CR in one read as a paste, and in two reads as text and Enter', () => {
    expect(read('hello\r')).toEqual([paste('hello\n')]);
    expect(read('hello', '\r')).toEqual([text('hello'), key('enter')]);
  });

  test('treats a read that is longer than a person types as a paste', () => {
    expect(read('x'.repeat(801))).toEqual([paste('x'.repeat(801))]);
    expect(read('x'.repeat(800))).toEqual([text('x'.repeat(800))]);
  });

  test('knows a lone ESC only when nothing follows', () => {
    const decoder = createDecoder();
    expect(decoder.feed(Buffer.from('\u001b'))).toEqual([]);
    expect(decoder.waiting).toBe(true);
    expect(decoder.flush()).toEqual([key('escape')]);
    expect(decoder.feed(Buffer.from('\u001b'))).toEqual([]);
    expect(decoder.feed(Buffer.from('[A'))).toEqual([key('up')]);
    expect(decoder.waiting).toBe(false);
  });
});
