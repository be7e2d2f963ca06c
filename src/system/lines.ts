import { createInterface } from 'node:readline';
import { createInterface as createPrompt } from 'node:readline/promises';
import { text } from 'node:stream/consumers';

export async function* linesOf(input: NodeJS.ReadableStream): AsyncGenerator<string> {
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) yield line;
}

export async function readStandardInput(): Promise<string> {
  return await text(process.stdin);
}

/** Asks on stderr, so that stdout stays the result's alone. */
export async function askLine(question: string): Promise<string> {
  const prompt = createPrompt({ input: process.stdin, output: process.stderr });
  try {
    return await prompt.question(question);
  } finally {
    prompt.close();
  }
}
