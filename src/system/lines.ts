import { createInterface } from 'node:readline';

export async function* linesOf(input: NodeJS.ReadableStream): AsyncGenerator<string> {
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  // readline forwards errors of the input (Node 24), also after the loop. Without a listener, a caller that disconnects would end this process.
  lines.on('error', () => undefined);
  // readline ends with `end` of its input only (Node 24): a socket that this process destroys would leave the reader waiting for ever.
  input.once('close', () => lines.close());
  for await (const line of lines) yield line;
}

export async function readStandardInput(): Promise<string> {
  const { text } = await import('node:stream/consumers');
  return await text(process.stdin);
}

/** Asks on stderr, so that stdout holds only the result. Returns an empty answer if the person closes the prompt. */
export async function askLine(question: string): Promise<string> {
  // Import on demand, because few commands ask and loading takes time.
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
