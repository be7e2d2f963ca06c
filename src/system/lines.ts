import { createInterface } from 'node:readline';

export async function* linesOf(input: NodeJS.ReadableStream): AsyncGenerator<string> {
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  // It hands on the input's errors (Node 24), also when the loop is over and nobody listens: a caller who went away would end us.
  lines.on('error', () => undefined);
  for await (const line of lines) yield line;
}

export async function readStandardInput(): Promise<string> {
  const { text } = await import('node:stream/consumers');
  return await text(process.stdin);
}

/** Asks on stderr, so that stdout stays the result's alone. An empty answer when the person closes the prompt. */
export async function askLine(question: string): Promise<string> {
  // Few commands ask, and every one of them would pay for loading it.
  const { createInterface: createPrompt } = await import('node:readline/promises');
  const prompt = createPrompt({ input: process.stdin, output: process.stderr });
  // Ctrl+C and Ctrl+D close the prompt, and its promise would never settle (Node 24).
  const closed = Promise.withResolvers<string>();
  prompt.once('close', () => closed.resolve(''));
  try {
    return await Promise.race([prompt.question(question), closed.promise]);
  } finally {
    prompt.close();
  }
}
