import { join } from 'node:path';
import { LlmcError } from '../base/error.ts';
import type { Finished, Processes } from '../base/ports.ts';
import { findScratchFolder } from '../system/files/scratch-folder.ts';
import type { SyncResult } from '../system/files/sync-file.ts';
import type { TreeFiles } from '../system/files/tree-files.ts';
import { requireSandbox, type Visible, type Wall, type Walls } from './walls.ts';

/**
 * The same file operations, performed inside the sandbox for every path that lies in one: a link that an agent left there leads
 * nowhere outside. Costs a process of about 10 ms each.
 */
export function walledFiles(plain: TreeFiles, walls: Walls, processes: Processes): TreeFiles {
  const run: Run = async (wall, [file = '', ...args], more) => {
    const finished = await processes.run(wall.enclose({ file, args }, more), LIMIT);
    requireSandbox(finished, wall);
    return finished;
  };
  return { ...plain, ...reading(plain, walls, run), ...changing(plain, walls, run) };
}

/**
 * File operations with the rights that the sandbox around `at` gives, whatever the path is. For paths that a git in there printed: its
 * agent decides what they are, and llmc must not read a file for it that it cannot read itself.
 */
export function filesAt({ files, walls, processes }: WalledGit, at: string): TreeFiles {
  const wall = walls.around(at);
  return wall === undefined ? files : walledFiles(files, { around: () => wall }, processes);
}

interface WalledGit {
  readonly files: TreeFiles;
  readonly walls: Walls;
  readonly processes: Processes;
}

type Run = (wall: Wall, argv: readonly string[], more?: Visible) => Promise<Finished>;

function reading(plain: TreeFiles, walls: Walls, run: Run): Partial<TreeFiles> {
  return {
    async exists(path) {
      const wall = walls.around(path);
      return wall === undefined ? plain.exists(path) : toStatus(await run(wall, ['test', '-e', path])) === 0;
    },
    async readText(path) {
      const wall = walls.around(path);
      if (wall === undefined) return plain.readText(path);
      const read = await run(wall, ['sh', '-c', 'test -f "$1" && exec cat -- "$1"', 'llmc-read', path]);
      return toStatus(read) === 0 ? read.stdout : undefined;
    },
    async entries(path) {
      const wall = walls.around(path);
      if (wall === undefined) return plain.entries(path);
      // A link to a folder has no entries of its own.
      const { stdout } = await run(wall, ['find', path, '-mindepth', '1', '-maxdepth', '1', '-printf', '%f\\0']);
      return stdout.split('\0').filter((name) => name !== '');
    },
    async readPlain(path, limit) {
      const wall = walls.around(path);
      if (wall === undefined) return plain.readPlain(path, limit);
      const read = await run(wall, ['sh', '-c', READ_PLAIN, 'llmc-read', path, String(limit)]);
      return toStatus(read) === 0 && !read.truncated ? read.stdout : undefined;
    },
    // What looks beneath a folder follows no link in any part of the path, so it may look from outside.
  };
}

function changing(plain: TreeFiles, walls: Walls, run: Run): Partial<TreeFiles> {
  return {
    async copy(from, to) {
      const wall = walls.around(from) ?? walls.around(to);
      if (wall === undefined) return plain.copy(from, to);
      const argv = ['cp', '--preserve=mode,timestamps', '--remove-destination', '--', from, to];
      const scratch = findScratchFolder(to);
      must(await run(wall, argv, { writes: scratch === undefined ? [] : [scratch] }), to);
    },
    async sync(from, to, within) {
      const wall = walls.around(to);
      if (wall === undefined) return plain.sync(from, to, within);
      const { stdout } = await run(wall, ['sh', '-c', SYNC, 'llmc-sync', ARRIVAL, to], { reads: { [ARRIVAL]: from } });
      return SYNC_RESULTS.find((each) => each === stdout.trim()) ?? 'outside';
    },
    async removeBeneath(base, path) {
      const wall = walls.around(base);
      if (wall === undefined) return plain.removeBeneath(base, path);
      must(await run(wall, ['rm', '-rf', '--', join(base, path)]), path);
    },
    async replaceBeneath(base, path, text) {
      const wall = walls.around(base);
      if (wall === undefined) return plain.replaceBeneath(base, path, text);
      must(await run(wall, ['sh', '-c', REPLACE, 'llmc-replace', join(base, path), text]), path);
    },
    async emptyBeneath(base, path) {
      const wall = walls.around(base);
      if (wall === undefined) return plain.emptyBeneath(base, path);
      must(await run(wall, ['find', join(base, path), '-mindepth', '1', '-delete']), path);
    },
    async makeBeneath(base, path) {
      const wall = walls.around(base);
      if (wall === undefined) return plain.makeBeneath(base, path);
      return toStatus(await run(wall, ['mkdir', '-p', '--', join(base, path)])) === 0;
    },
  };
}

const READ_PLAIN = 'test -f "$1" && test ! -L "$1" && test "$(stat -c %s -- "$1")" -le "$2" && exec cat -- "$1"';
const REPLACE = 'printf %s "$2" > "$1.llmc-$$" && mv -fT -- "$1.llmc-$$" "$1"';
const LIMIT = { timeoutMs: 60_000 };
/** Where a file from outside appears inside. */
const ARRIVAL = '/run/llmc-arrival';
const SYNC_RESULTS: readonly SyncResult[] = ['copied', 'unchanged', 'not-a-file', 'outside'];
const SYNC = `if [ ! -f "$1" ]; then echo not-a-file
elif [ -L "$2" ] || { [ -e "$2" ] && [ ! -f "$2" ]; }; then echo not-a-file
elif cmp -s -- "$1" "$2" && [ "$(stat -c %a -- "$1")" = "$(stat -c %a -- "$2")" ]; then echo unchanged
elif mkdir -p -- "$(dirname -- "$2")" && cp --preserve=mode -- "$1" "$2.llmc-$$" && mv -f -- "$2.llmc-$$" "$2"; then echo copied
else rm -f -- "$2.llmc-$$"; echo outside; fi`;

const toStatus = ({ outcome }: Finished): number => (outcome.kind === 'exited' ? outcome.status : -1);

function must(finished: Finished, path: string): void {
  if (toStatus(finished) === 0) return;
  throw new LlmcError('GIT_FAILED', `${path} cannot be changed inside its sandbox`, { details: finished.stderr.trim() });
}
