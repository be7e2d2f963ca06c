import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { ConfigFolder } from '../agents/config-folder.ts';
import type { Layout } from '../store/layout.ts';
import { restrict } from '../system/files/access.ts';
import { namesIn, readTextIfThere } from '../system/files/files.ts';
import { letPass, letRead } from '../system/files/share.ts';
import type { SystemUser } from '../system/users.ts';
import { sandboxPlaces } from './places.ts';

const userSchema = z.object({ name: z.string(), uid: z.int().min(1), gid: z.int().min(1), home: z.string() });

/**
 * The user that owns a worker's worktree; undefined if its sandbox is not a user. llmc keeps the numbers: it can still save and
 * delete the work of a user that was removed from the machine.
 */
export function readAgentUser(layout: Pick<Layout, 'sandbox'>, worker: string): SystemUser | undefined {
  const text = readTextIfThere(sandboxPlaces(layout, worker).user);
  return text === undefined ? undefined : userSchema.parse(JSON.parse(text));
}

/** Variables that lead to files of the user of llmc. */
const MISLEADING = ['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR', 'npm_config_cache'];

/** What the environment of that user says; undefined for a variable that it must not have. */
export function userEnvironment({ name, home }: SystemUser, configFolder?: ConfigFolder): Readonly<Record<string, string | undefined>> {
  const names = configFolder === undefined ? MISLEADING : [...MISLEADING, configFolder.variable];
  return { ...Object.fromEntries(names.map((each) => [each, undefined])), HOME: home, USER: name, LOGNAME: name, TMPDIR: '/tmp' };
}

export const SETPRIV = 'setpriv';

/**
 * The same command line as another user. It has the group of that user alone, no capability, and gains nothing from set-user-ID
 * programs such as sudo.
 */
export function asUser(user: SystemUser, argv: readonly string[], configFolder?: ConfigFolder): readonly [string, ...string[]] {
  const variables = Object.entries(userEnvironment(user, configFolder));
  return [
    SETPRIV,
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    '--inh-caps=-all',
    '--no-new-privs',
    '--',
    'env',
    ...variables.flatMap(([name, value]) => (value === undefined ? ['-u', name] : [])),
    ...variables.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`])),
    ...argv,
  ];
}

/** Opens the way to a worker's own folders, and the clone for reading, to the group of its user. Everything else stays closed. */
export function openWay(layout: Layout, worker: string, { gid }: SystemUser): void {
  const { root, worktrees, events, run } = layout;
  const scratch = layout.scratch(worker);
  letPass(gid, [root, worktrees, events, run, dirname(scratch), dirname(layout.sandbox(worker)), layout.sandbox(worker)]);
  letRead(gid, [join(root, '.git'), scratch]);
  // A person can have opened one, behind a root that no one could enter until now.
  for (const name of namesIn(worktrees)) restrict(join(worktrees, name));
}

/** Lets the agent read a file in its scratch folder that llmc wrote for it. Does nothing for an agent that runs as llmc's user. */
export function showToAgent(layout: Layout, worker: string, path: string): void {
  const user = readAgentUser(layout, worker);
  if (user !== undefined) letRead(user.gid, [dirname(path), path]);
}
