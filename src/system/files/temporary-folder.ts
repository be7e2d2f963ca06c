import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeScratchFolder } from './scratch-folder.ts';

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/** Makes a folder that only this user may enter, with the given files; disposal removes it. */
export async function temporaryFolder(files: Readonly<Record<string, string>>): Promise<TemporaryFolder> {
  const path = await makeScratchFolder('plain');
  const dispose = () => rm(path, { recursive: true, force: true });
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(path, name)), { recursive: true });
      await writeFile(join(path, name), text);
    }
    return { path, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
