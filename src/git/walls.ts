import type { Command } from '../base/command.ts';
import { LlmcError } from '../base/error.ts';
import type { Finished } from '../base/ports.ts';
import { commandLine, shellWord } from '../base/shell-quote.ts';
import type { Owner } from '../system/files/give-tree.ts';
import { ownRepository } from './private/place.ts';

/** The sandbox around one worker: git and file operations in its worktree run inside it, so that nothing in there can act outside. */
export interface Wall {
  readonly worker: string;
  /** The same command inside the sandbox. */
  enclose(command: Command, more?: Visible): Command;
  /** Begins each message of the program that makes the sandbox. */
  readonly program: string;
  /** The folders that belong to the user of the agent, if that is another one. */
  readonly handOver?: { readonly to: Owner; readonly folders: readonly string[] };
}

/** Files of llmc that one command in a sandbox sees besides. */
export interface Visible {
  /** Paths inside, and the files outside that they show. */
  readonly reads?: Readonly<Record<string, string>>;
  readonly writes?: readonly string[];
}

export interface Walls {
  /** The sandbox that a path lies in; undefined for the root itself and for a worker without one. */
  around(path: string): Wall | undefined;
}

export const NO_WALLS: Walls = { around: () => undefined };

/**
 * Lets `git fetch` read the repository at `from` through a git inside the sandbox: what comes out is a stream that the fetch checks.
 * git runs this line in a shell and adds the path.
 */
export function uploadPackOptions(walls: Walls, from: string, more: Visible = {}): readonly string[] {
  const wall = walls.around(from);
  if (wall === undefined) return [];
  const { file, args } = wall.enclose({ file: 'git', args: ['-c', 'uploadpack.allowAnySHA1InWant=true', 'upload-pack'] }, more);
  return [`--upload-pack=${[file, ...args].map(shellWord).join(' ')}`];
}

/** What to type if an agent damaged its repository: llmc then makes it again from what it has taken in of it. */
export function remakeHint(root: string, worker: string): string {
  const remove = commandLine('rm', '-rf', '--', ownRepository(root, worker));
  return `If the agent damaged its repository, make it again. Its files stay, and its commits since its last turn are lost: llmc down, then: ${remove}, then: llmc up --detach`;
}

/** Throws if the sandbox itself could not be made, which must not look like an answer of the command in it. */
export function requireSandbox({ outcome, stderr }: Finished, { worker, program }: Pick<Wall, 'worker' | 'program'>): void {
  const missing = outcome.kind === 'not-started';
  if (!missing && !(outcome.kind === 'exited' && outcome.status !== 0 && stderr.startsWith(`${program}: `))) return;
  throw new LlmcError('SANDBOX_FAILED', `the sandbox of ${worker} cannot be made: ${missing ? outcome.reason : stderr.trim()}`, {
    hint: 'llmc doctor says what is missing.',
  });
}
