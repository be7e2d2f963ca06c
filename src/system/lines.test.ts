import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { firstLine, LineTooLongError, readLines } from './lines.ts';

test('lines come out whole, however they come in', async () => {
  const bytes = Buffer.from('one\r\n\n{"text":"grüße 🌊\u2028"}\nlast');
  const one = Array.from(bytes, (byte) => Buffer.of(byte));
  const lines: string[] = [];
  for await (const line of readLines(Readable.from(one), 100)) lines.push(line);
  expect(lines).toEqual(['one', '', '{"text":"grüße 🌊\u2028"}', 'last']);
});

test('a reader ends when its input is destroyed', async () => {
  const input = new PassThrough();
  const lines = readLines(input, 100);
  const first = lines.next();
  input.destroy();
  expect(await first).toEqual({ done: true, value: undefined });
});

test('a line that is too long ends the reading, however small its pieces are', async () => {
  const input = new PassThrough();
  const first = firstLine(input, 10);
  const rejected = expect(first).rejects.toBeInstanceOf(LineTooLongError);
  for (const _ of Array(11)) input.write('x');
  await rejected;
});

test('bytes after the first line are dropped, so that the stream still ends', async () => {
  const input = new PassThrough();
  const ended = new Promise((resolve) => input.once('end', resolve));
  const line = firstLine(input, 10);
  input.write('one\n');
  expect(await line).toBe('one');
  input.end('x'.repeat(100_000));
  await ended;
});
