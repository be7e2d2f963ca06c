import { join } from 'node:path';
import type { Command } from '../base/command.ts';
import type { Visible, Wall } from '../git/walls.ts';
import type { Layout } from '../store/layout.ts';
import { findScratchFolder } from '../system/files/scratch-folder.ts';
import type { SystemUser } from '../system/users.ts';
import { asUser, SETPRIV } from './agent-user.ts';
import { conversations } from './agent-view.ts';
import { sandboxPlaces } from './places.ts';

/** Runs everything in a worktree as the user that owns it. */
export function userWall(layout: Layout, worker: string, user: SystemUser): Wall {
  const owner = `${user.uid}:${user.gid}`;
  return {
    worker,
    program: SETPRIV,
    enclose(command, more = {}) {
      const { steps, names } = loans(layout, worker, command, more);
      const argv = asUser(
        user,
        [command.file, ...command.args].map((arg) => names.get(arg) ?? arg),
      );
      const [file, ...args] = steps.length === 0 ? argv : (['sh', '-c', LEND, owner, ...steps, '--', ...argv] as const);
      return { ...command, file, args, cwd: '/' };
    },
    handOver: {
      to: user,
      folders: [layout.worktree(worker), sandboxPlaces(layout, worker).git, layout.spool(worker), conversations(layout, worker)],
    },
  };
}

/** Runs as root before the command: gives it scratch folders of llmc, and copies of files that only llmc can read. */
const LEND = `while [ "$1" != -- ]; do
  case $1 in
    folder) chown -hR "$0" -- "$2" || exit; shift 2 ;;
    copy) cp -p -- "$2" "$3" && chown "$0" -- "$3" || exit; lent=$3; shift 3 ;;
  esac
done
shift
"$@"
status=$?
[ -z "$lent" ] || rm -f -- "$lent"
exit $status`;

interface Loans {
  readonly steps: readonly string[];
  /** Paths in the command, and where the copies are. */
  readonly names: ReadonlyMap<string, string>;
}

let copies = 0;

function loans(layout: Layout, worker: string, { env = {} }: Command, { reads = {}, writes = [] }: Visible): Loans {
  const scratches = Object.values(env).flatMap((value) => findScratchFolder(value ?? '') ?? []);
  const lent = Object.entries(reads).map(([name, from]) => {
    copies += 1;
    return { name, from, to: join(layout.sandbox(worker), `lent-${process.pid}-${copies}`) };
  });
  return {
    steps: [
      ...[...new Set([...writes, ...scratches])].flatMap((folder) => ['folder', folder]),
      ...lent.flatMap(({ from, to }) => ['copy', from, to]),
    ],
    names: new Map(lent.map(({ name, to }) => [name, to])),
  };
}
