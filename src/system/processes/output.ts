import type { ChildProcess } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import type { RunOptions } from '../../base/ports.ts';

/** Larger than any diff that a person reviews. llmc reads and drops the rest. */
const CAP_CHARS = 64 * 1024 * 1024;

/** A longer line is reported in parts. */
const LONGEST_LINE_CHARS = 1024 * 1024;

export interface Output {
  text(): { stdout: string; stderr: string; truncated: boolean };
}

export function collectOutput(child: ChildProcess, { onLine, encoding }: Pick<RunOptions, 'onLine' | 'encoding'> = {}): Output {
  const stdout = gather(child.stdout, onLine, encoding);
  const stderr = gather(child.stderr, onLine);
  return {
    text: () => {
      const [out, err] = [stdout(), stderr()];
      return { stdout: out.text, stderr: err.text, truncated: out.truncated || err.truncated };
    },
  };
}

function gather(
  stream: NodeJS.ReadableStream | null,
  onLine?: (line: string) => void,
  encoding: RunOptions['encoding'] = 'utf8',
): () => { text: string; truncated: boolean } {
  const decoder = new StringDecoder(encoding);
  const parts: string[] = [];
  let length = 0;
  let truncated = false;
  let partial = '';
  let afterReturn = false;
  stream?.on('data', (chunk: Buffer) => {
    const text = decoder.write(chunk);
    const fits = text.slice(0, CAP_CHARS - length);
    parts.push(fits);
    length += fits.length;
    truncated ||= fits.length < text.length;
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
    parts.push(decoder.end());
    if (partial !== '') onLine?.(partial);
  });
  return () => ({ text: parts.join(''), truncated });
}
