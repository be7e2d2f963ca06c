import type { Command } from '../base/command.ts';
import type { Visible, Wall, Walls } from '../git/walls.ts';
import type { Layout } from '../store/layout.ts';
import { findScratchFolder } from '../system/files/scratch-folder.ts';
import { readAgentUser } from './agent-user.ts';
import { BUBBLEWRAP, bubblewrap, type Mount, SYSTEM_MOUNTS } from './bubblewrap.ts';
import { gitMounts, userGitMounts } from './git-mounts.ts';
import { sandboxPlaces, workerAt } from './places.ts';
import { userWall } from './user-wall.ts';

/**
 * Finds the sandbox of a path: the one that the worker's agent was started in, whatever config.toml says now. The user may have edited
 * it, or broken it, since.
 */
export function makeWalls(layout: Layout, exists: (path: string) => boolean, home: string | undefined = process.env.HOME): Walls {
  return {
    around(path): Wall | undefined {
      const worker = workerAt(layout, path);
      if (worker === undefined) return undefined;
      const user = readAgentUser(layout, worker);
      if (user !== undefined) return userWall(layout, worker, user);
      if (!exists(sandboxPlaces(layout, worker).bubblewrap)) return undefined;
      return {
        worker,
        program: BUBBLEWRAP,
        enclose: (command, more = {}) => enclosed([...listGitMounts(layout, worker, home), ...shown(command, more)], command),
      };
    },
  };
}

/** For git and file operations by llmc itself: no network, nothing of the home but the settings of git. */
function listGitMounts(layout: Layout, worker: string, home: string | undefined): readonly Mount[] {
  return [...SYSTEM_MOUNTS, ...userGitMounts(home), ...gitMounts(layout, worker)];
}

/** A command may name a scratch folder of llmc in its environment, such as one with a copy of the index. */
function shown({ env = {} }: Command, { reads = {}, writes = [] }: Visible): readonly Mount[] {
  const scratches = Object.values(env).flatMap((value) => findScratchFolder(value ?? '') ?? []);
  return [
    ...Object.entries(reads).map(([path, from]): Mount => ({ kind: 'read', path, from })),
    ...[...writes, ...scratches].map((path): Mount => ({ kind: 'write', path })),
  ];
}

function enclosed(mounts: readonly Mount[], command: Command): Command {
  const [file = '', ...args] = bubblewrap({ mounts, network: 'none', cwd: '/' });
  return { ...command, file, args: [...args, command.file, ...command.args], cwd: '/' };
}
