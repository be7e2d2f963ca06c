import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { makeBeside, readText, removeTree, writePrivate } from '../../system/files/files.ts';
import { runInteractive } from '../../system/processes/interactive.ts';

/** Opens a text in the user's editor and returns the edited text, without comment lines if it has some. */
export async function editText(initial: string, { comments }: { readonly comments: boolean }): Promise<string> {
  const folder = makeBeside(join(tmpdir(), 'llmc-edit'));
  const file = join(folder, 'message.md');
  try {
    writePrivate(file, initial);
    await openInEditor(file);
    return readText(file)
      .split('\n')
      .filter((line) => !comments || !line.startsWith('#'))
      .join('\n')
      .trim();
  } finally {
    removeTree(folder);
  }
}

/** Opens a file in the user's editor, and waits for its end. */
export async function openInEditor(file: string): Promise<void> {
  const editor = process.env.VISUAL || process.env.EDITOR || 'vi';
  // EDITOR is a shell command by convention ("code --wait"); the file name is passed as an argument.
  const status = await runInteractive({ file: 'sh', args: ['-c', `${editor} "$1"`, 'llmc-edit', file] });
  if (status !== 0) throw new LlmcError('CANCELLED', `the editor (${editor}) ended with status ${status}; nothing was changed`);
}
