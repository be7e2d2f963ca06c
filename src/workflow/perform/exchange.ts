import { join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import type { TreeFiles } from '../../system/files/tree-files.ts';
import { TASK_FOLDER } from '../../workers/prompt/prompts.ts';
import { IN_FOLDER, MESSAGES_FOLDER, OUT_FOLDER } from '../next/values.ts';

/** A file that an agent gets to read, by its path in the folder `in`. */
export interface Incoming {
  readonly path: string;
  readonly text: string;
}

/** What an agent left under a name. */
export type Left =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' | 'link' | 'folder' | 'other' | 'too_large' };

/** The agent may write anything into its worktree at any time: links, pipes, files of any size. */
export class Exchange {
  readonly #files: TreeFiles;

  /** `files` act inside the sandbox of a worktree that has one. */
  constructor(files: TreeFiles) {
    this.#files = files;
  }

  /** Empties both folders for a new piece of work, and puts these files into `in`. */
  async prepare(worktree: string, incoming: readonly Incoming[]): Promise<void> {
    await this.#files.removeBeneath(worktree, TASK_FOLDER);
    for (const folder of [IN_FOLDER, OUT_FOLDER]) {
      if (!(await this.#files.makeBeneath(worktree, folder))) throw blocked(worktree, folder);
    }
    await this.add(worktree, incoming);
  }

  /** Puts more files into `in`, and keeps what is there. */
  async add(worktree: string, incoming: readonly Incoming[]): Promise<void> {
    if (incoming.length === 0) return;
    await using scratch = await this.#files.scratch();
    for (const [index, { path, text }] of incoming.entries()) {
      await scratch.write(String(index), text);
      const done = await this.#files.sync(join(scratch.path, String(index)), join(worktree, IN_FOLDER, path), worktree);
      if (done !== 'copied' && done !== 'unchanged') throw blocked(worktree, `${IN_FOLDER}/${path}`);
    }
  }

  /** The plain files in `out` that are not messages, by their paths in it. */
  async list(worktree: string): Promise<readonly string[]> {
    const files = await this.#files.filesBeneath(worktree, OUT_FOLDER, { most: 1_000, depth: 8 });
    return files.filter((path) => !path.startsWith(`${MESSAGES_FOLDER}/`));
  }

  /** The names of the files in which the agent sends messages, in their order: 9 comes before 10. */
  async messages(worktree: string): Promise<readonly string[]> {
    const names = await this.#files.filesBeneath(worktree, `${OUT_FOLDER}/${MESSAGES_FOLDER}`, { most: 1_000, depth: 1 });
    return names.filter((name) => /\.ya?ml$/i.test(name)).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  }

  /** Reads a file in `out`, and never through a link. */
  async read(worktree: string, path: string, mostBytes: number): Promise<Left> {
    const inside = `${OUT_FOLDER}/${path}`;
    const kind = await this.#files.kindBeneath(worktree, inside);
    if (kind !== 'file') return { kind };
    const text = await this.#files.readBeneath(worktree, inside, mostBytes);
    return text === undefined ? { kind: 'too_large' } : { kind: 'text', text };
  }
}

function blocked(worktree: string, path: string): LlmcError {
  return new LlmcError('FILESYSTEM_ERROR', `${path} in ${worktree} cannot be written`, {
    hint: `Look what is in the way: ${commandLine('ls', '-la', join(worktree, TASK_FOLDER))}`,
  });
}
