import { join, relative } from 'node:path';
import type { Command } from '../base/command.ts';
import type { Visible, Wall, Walls } from '../git/walls.ts';
import type { Layout } from '../store/layout.ts';
import { scratchFolderOf } from '../system/files/scratch-folder.ts';
import { bubblewrap, type Mount, SYSTEM_MOUNTS } from './bubblewrap.ts';
import { gitMounts, userGitMounts } from './git-mounts.ts';
import { sandboxPlaces, workerAt } from './places.ts';

/**
 * Finds the sandbox of a path. A worker has one as long as its git state is kept apart from the root's, whatever config.toml says
 * now: the user may have edited it, or broken it, since the agent was started.
 */
export function wallsOf(layout: Layout, exists: (path: string) => boolean, home: string | undefined = process.env.HOME): Walls {
  return {
    around(path): Wall | undefined {
      const worker = workerAt(layout, path);
      if (worker === undefined || !exists(sandboxPlaces(layout, worker).git)) return undefined;
      return {
        worker,
        enclose: (command, more = {}) => enclosed([...gitMountsOf(layout, worker, home), ...shown(command, more)], command),
        onDisk: (inner) => onDisk(layout, worker, inner),
      };
    },
  };
}

/** For git and file operations by llmc itself: no network, nothing of the home but the settings of git. */
function gitMountsOf(layout: Layout, worker: string, home: string | undefined): readonly Mount[] {
  return [...SYSTEM_MOUNTS, ...userGitMounts(home), ...gitMounts(layout, worker)];
}

/** A command may name a scratch folder of llmc in its environment, such as one with a copy of the index. */
function shown({ env = {} }: Command, { reads = {}, writes = [] }: Visible): readonly Mount[] {
  const scratches = Object.values(env).flatMap((value) => scratchFolderOf(value ?? '') ?? []);
  return [
    ...Object.entries(reads).map(([path, from]): Mount => ({ kind: 'read', path, from })),
    ...[...writes, ...scratches].map((path): Mount => ({ kind: 'write', path })),
  ];
}

function onDisk(layout: Layout, worker: string, path: string): string {
  const way = relative(join(layout.root, '.git'), path);
  return way.startsWith('..') ? path : join(sandboxPlaces(layout, worker).git, way);
}

function enclosed(mounts: readonly Mount[], command: Command): Command {
  const [file = '', ...args] = bubblewrap({ mounts, network: 'none', cwd: '/' });
  return { ...command, file, args: [...args, command.file, ...command.args], cwd: '/' };
}
