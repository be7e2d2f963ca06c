import type { ChildProcess } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import type { RunOptions } from '../../base/ports.ts';

/** Larger than any diff that a person reviews. llmc reads and drops the rest. */
const CAP_CHARS = 64 * 1024 * 1024;

/** A longer line is reported in parts. */
const LONGEST_LINE_CHARS = 1024 * 1024;

export interface CollectedOutput {
  text(): { stdout: string; stderr: string; truncated: boolean };
}

type Collecting = Pick<RunOptions, 'onLine' | 'encoding' | 'onlyLines'>;

export function collectOutput(child: ChildProcess, { encoding, ...options }: Collecting = {}): CollectedOutput {
  const stdout = gather(child.stdout, { ...options, encoding: encoding ?? 'utf8' });
  const stderr = gather(child.stderr, { ...options, encoding: 'utf8' });
  return {
    text: () => {
      const [out, err] = [stdout(), stderr()];
      return { stdout: out.text, stderr: err.text, truncated: out.truncated || err.truncated };
    },
  };
}

function gather(
  stream: NodeJS.ReadableStream | null,
  { onLine, encoding, onlyLines }: Collecting,
): () => { text: string; truncated: boolean } {
  const decoder = new StringDecoder(encoding);
  const parts: string[] = [];
  const cap = onlyLines === true ? 0 : CAP_CHARS;
  let length = 0;
  let truncated = false;
  let partial = '';
  let afterReturn = false;
  stream?.on('data', (chunk: Buffer) => {
    const text = decoder.write(chunk);
    const fits = text.slice(0, cap - length);
    if (fits !== '') parts.push(fits);
    length += fits.length;
    truncated ||= onlyLines !== true && fits.length < text.length;
    if (onLine === undefined || text === '') return;
    // Two chunks may split a line ending of two characters.
    const lines = (partial + (afterReturn ? text.replace(/^\n/, '') : text)).split(/\r\n|\n|\r/);
    afterReturn = text.endsWith('\r');
    partial = lines.pop() ?? '';
    for (const line of lines) onLine(line);
    // A program may never end its line, and a string has a greatest length: V8 would throw here, and end this process.
    if (partial.length > LONGEST_LINE_CHARS) {
      onLine(partial);
      partial = '';
    }
  });
  stream?.on('end', () => {
    if (onlyLines !== true) parts.push(decoder.end());
    if (partial !== '') onLine?.(partial);
  });
  return () => ({ text: parts.join(''), truncated });
}
