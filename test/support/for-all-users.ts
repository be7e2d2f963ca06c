import { chmodSync, chownSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ScratchUser } from './scratch-user.ts';

/** Lets other users pass through the folder of a world, and installs the agent's program where every user can run it, as in /usr/local/bin. */
export function installForAll(world: { readonly dir: string; readonly root: string }, program: string): void {
  chmodSync(world.dir, 0o711);
  const installed = join(world.dir, basename(program));
  copyFileSync(program, installed);
  chmodSync(installed, 0o755);
  const file = join(world.root, 'config.toml');
  writeFileSync(file, readFileSync(file, 'utf8').replace(JSON.stringify(program), JSON.stringify(installed)));
}

/** Copies a file into the home of a user, as that user would have made it. */
export function giveFile(user: ScratchUser, from: string, name: string): void {
  const to = join(user.home, name);
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  for (const path of [dirname(to), to]) chownSync(path, user.uid, user.gid);
}
