import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import type { Files } from '../../base/ports.ts';
import type { Artifact } from '../model/run.ts';

/** A text that people read fits many times; more would fill the disk with what an agent repeats. */
export const LARGEST_ARTIFACT = 1024 * 1024;

const FOLDER = 'artifacts';
/** By stage and attempt: `develop-2`. */
export const PARTIAL_FOLDER = 'partial';

/** The results of a run's stages, in its own folder, where no agent writes. */
export class Artifacts {
  readonly #files: Pick<Files, 'exists' | 'readForeign' | 'makeFolder' | 'replace' | 'rename'>;
  readonly #folderOf: (run: string) => string;

  constructor(files: Pick<Files, 'exists' | 'readForeign' | 'makeFolder' | 'replace' | 'rename'>, folderOf: (run: string) => string) {
    this.#files = files;
    this.#folderOf = folderOf;
  }

  /** Stores a file under the name of its attempt and its hash. Storing the same again changes nothing. */
  store(run: string, attempt: string, name: string, text: string, value: unknown): Artifact {
    const sha256 = hashText(text);
    const path = join(FOLDER, `${attempt}-${sha256.slice(0, 16)}-${basename(name)}`);
    const target = join(this.#folderOf(run), path);
    if (!this.#files.exists(target)) {
      // That of an item is in a folder of its stage.
      this.#files.makeFolder(dirname(target));
      this.#files.replace(target, text);
    }
    return { path, sha256, value };
  }

  /** Stores a file of work that was not finished. Its name may be anything that a file can be called. */
  storePartial(run: string, attempt: string, path: string, text: string): void {
    const folder = join(this.#folderOf(run), PARTIAL_FOLDER, attempt);
    this.#files.makeFolder(folder);
    this.#files.replace(join(folder, safeName(path)), text);
  }

  /** Moves files of results into another folder of the run. One that was moved before stays there. */
  archive(run: string, paths: readonly string[], folder: string): void {
    for (const path of paths) {
      const [from, to] = [join(this.#folderOf(run), path), join(this.#folderOf(run), folder, path.slice(FOLDER.length + 1))];
      if (!this.#files.exists(from)) continue;
      this.#files.makeFolder(dirname(to));
      this.#files.rename(from, to);
    }
  }

  /** The text of a stored file, exactly as the stage left it. An agent without a sandbox could have changed it since. */
  read(run: string, step: string, name: string, { path, sha256 }: Artifact): string {
    const place = join(this.#folderOf(run), path);
    const text = this.#files.readForeign(place, LARGEST_ARTIFACT);
    if (text !== undefined && hashText(text) === sha256) return text;
    throw new LlmcError(
      'FILESYSTEM_ERROR',
      `${name}, the result of ${step}, ${text === undefined ? 'is missing' : 'was changed'}: ${place}`,
      {
        hint: 'Put the file back as it was, then choose restart.',
      },
    );
  }
}

export const hashText = (text: string): string => createHash('sha256').update(text).digest('hex');

/** One name for a path, with nothing in it that a terminal or a shell could take for something else. */
function safeName(path: string): string {
  const flat = path.replaceAll('/', '~');
  const safe = flat.replace(/[^\w.~-]/g, '_').slice(-100);
  return safe === flat ? safe : `${hashText(path).slice(0, 8)}-${safe}`;
}
