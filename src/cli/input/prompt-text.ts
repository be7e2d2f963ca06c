import { LlmcError } from '../../base/error.ts';
import { showsNothing } from '../../base/shows-nothing.ts';
import { readTextFile } from '../../system/files/text-file.ts';
import { readStandardInput } from '../../system/lines.ts';

export interface PromptSources {
  readonly text: string | undefined;
  readonly file: string | undefined;
  /** `-` was given: read standard input. */
  readonly stdin: boolean;
}

/** Reads the prompt from the one source that was given. Refuses empty text, NUL characters and bytes that are not UTF-8. */
export async function promptText(sources: PromptSources, hint: string): Promise<string> {
  const given = [sources.text !== undefined, sources.file !== undefined, sources.stdin].filter(Boolean).length;
  if (given !== 1)
    throw new LlmcError('INVALID_ARGUMENT', given === 0 ? 'no prompt was given' : 'more than one prompt was given', { hint });
  const prompt = sources.text ?? (sources.file === undefined ? await readStandardInput() : await textOfFile(sources.file));
  // Node replaces invalid bytes in arguments and standard input by U+FFFD; files are checked byte by byte.
  if (sources.file === undefined && prompt.includes('\uFFFD'))
    throw new LlmcError('INVALID_ARGUMENT', 'the prompt holds bytes that are not UTF-8', { hint: `Write it as UTF-8: ${hint}` });
  if (prompt.includes('\0')) throw new LlmcError('INVALID_ARGUMENT', 'the prompt is not text (it holds a NUL character)', { hint });
  if (showsNothing(prompt)) throw new LlmcError('INVALID_ARGUMENT', 'the prompt is empty', { hint });
  return prompt;
}

export async function textOfFile(path: string): Promise<string> {
  const file = await readTextFile(path);
  switch (file.kind) {
    case 'text':
      return file.text;
    case 'missing':
      throw new LlmcError('INVALID_ARGUMENT', `${path} does not exist`, { hint: 'Check the path.' });
    case 'denied':
      throw new LlmcError('PERMISSION_DENIED', `${path} cannot be read: permission denied`, { hint: 'Check its permissions.' });
    case 'not-utf8':
      throw new LlmcError('INVALID_ARGUMENT', `${path} is not a text file (UTF-8)`, { hint: 'Prompts are plain text.' });
    case 'failed':
      throw new LlmcError('FILESYSTEM_ERROR', `${path} cannot be read: ${file.reason}`, { hint: 'Name a file with the prompt in it.' });
  }
}
