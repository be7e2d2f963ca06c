import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { linesOf } from './lines.ts';

test('lines come out whole, however they come in', async () => {
  const bytes = Buffer.from('one\r\n\n{"text":"grüße 🌊"}\nlast');
  const one = Array.from(bytes, (byte) => Buffer.of(byte));
  const lines: string[] = [];
  for await (const line of linesOf(Readable.from(one))) lines.push(line);
  expect(lines).toEqual(['one', '', '{"text":"grüße 🌊"}', 'last']);
});

test('a reader ends when its input is destroyed', async () => {
  const input = new PassThrough();
  const lines = linesOf(input);
  const first = lines.next();
  input.destroy();
  expect(await first).toEqual({ done: true, value: undefined });
});
