import { createInterface } from 'node:readline';

export async function* linesOf(input: NodeJS.ReadableStream): AsyncGenerator<string> {
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) yield line;
}

export async function readStandardInput(): Promise<string> {
  const { text } = await import('node:stream/consumers');
  return await text(process.stdin);
}

/** Asks on stderr, so that stdout stays the result's alone. */
export async function askLine(question: string): Promise<string> {
  // Few commands ask, and every one of them would pay for loading it.
  const { createInterface: createPrompt } = await import('node:readline/promises');
  const prompt = createPrompt({ input: process.stdin, output: process.stderr });
  try {
    return await prompt.question(question);
  } finally {
    prompt.close();
  }
}
