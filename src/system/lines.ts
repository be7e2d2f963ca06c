import { on } from 'node:events';
import type { Readable } from 'node:stream';

/** Thrown to the reader of a line that is too long; the rest of the input is not read. */
export class LineTooLongError extends Error {}

/**
 * The lines of a stream, each ended by a line feed. Not `node:readline`: it collects a line of any length, and it also ends a line
 * at U+2028, which JSON allows inside a text (Node 24).
 */
export async function* readLines(input: Readable, longestBytes: number): AsyncGenerator<string> {
  if (input.destroyed || input.readableEnded) return;
  let parts: Buffer[] = [];
  let length = 0;
  // `close` too: a socket that this process destroys emits no `end`, and would leave the reader waiting for ever.
  for await (const [chunk] of on(input, 'data', { close: ['end', 'close'] })) {
    for (let rest: Buffer = chunk; rest.length > 0; ) {
      const end = rest.indexOf(0x0a);
      const part = end === -1 ? rest : rest.subarray(0, end);
      length += part.length;
      if (length > longestBytes) throw new LineTooLongError(`a line is longer than ${longestBytes} bytes`);
      parts.push(part);
      if (end === -1) break;
      yield decodeLine(parts);
      [parts, length, rest] = [[], 0, rest.subarray(end + 1)];
    }
  }
  if (length > 0) yield decodeLine(parts);
}

/** The first line of a stream; undefined if it ends without one. What follows is read and dropped, so that the stream still notices its end. */
export async function firstLine(input: Readable, longestBytes: number): Promise<string | undefined> {
  for await (const line of readLines(input, longestBytes)) {
    input.resume();
    return line;
  }
  return undefined;
}

function decodeLine(parts: readonly Buffer[]): string {
  const line = Buffer.concat(parts).toString('utf8');
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

export async function readStandardInput(): Promise<string> {
  const { text } = await import('node:stream/consumers');
  return await text(process.stdin);
}

/** Asks on stderr, so that stdout holds only the result. Returns an empty answer if the person closes the prompt. */
export async function askLine(question: string): Promise<string> {
  return (await askLineIfOpen(question)) ?? '';
}

/** As `askLine`; undefined if the person closes the prompt, which is not the same as an empty answer where there is a default. */
export async function askLineIfOpen(question: string): Promise<string | undefined> {
  // Import on demand, because few commands ask and loading takes time.
  const { createInterface: createPrompt } = await import('node:readline/promises');
  const prompt = createPrompt({ input: process.stdin, output: process.stderr });
  // Ctrl+C and Ctrl+D close the prompt, and its promise would never settle (Node 24).
  const closed = Promise.withResolvers<undefined>();
  prompt.once('close', () => closed.resolve(undefined));
  try {
    return await Promise.race([prompt.question(question), closed.promise]);
  } finally {
    prompt.close();
  }
}
