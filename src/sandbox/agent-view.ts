import { dirname, join } from 'node:path';
import type { Environment } from '../agents/agent.ts';
import type { ConfigFolder } from '../agents/config-folder.ts';
import type { SandboxOptions } from '../config/schema.ts';
import type { Layout } from '../store/layout.ts';
import { expandHome } from '../system/home.ts';
import { type Mount, type SandboxView, SYSTEM_MOUNTS } from './bubblewrap.ts';
import { gitMounts, userGitMounts } from './git-mounts.ts';
import { sandboxPlaces } from './places.ts';

export interface Enclosed {
  readonly layout: Layout;
  readonly worker: string;
  readonly options: SandboxOptions;
  /** The environment outside, which says where the user's own files are. */
  readonly env: Environment;
  readonly configFolder: ConfigFolder | undefined;
  /** Where the agent's server listens, if not where llmc says. */
  readonly socketFolder?: string | undefined;
  /** Folders with the programs that the agent runs. */
  readonly programs: readonly string[];
}

/** Everything that a sandboxed agent sees. The parts of the root come last, so that no other path can uncover the rest of it. */
export function agentView(enclosed: Enclosed): SandboxView {
  const { layout, worker, options } = enclosed;
  return {
    mounts: [
      ...SYSTEM_MOUNTS,
      ...homeMounts(enclosed),
      ...rootMounts(layout, worker),
      ...configMounts(enclosed),
      ...socketMounts(enclosed),
    ],
    network: options.network,
    cwd: layout.worktree(worker),
  };
}

function homeMounts({ options, env, programs }: Enclosed): readonly Mount[] {
  const home = env['HOME'];
  const shown: readonly Mount[] =
    home === undefined ? [] : options.home === 'hidden' ? [{ kind: 'empty', path: home }] : [{ kind: 'read', path: home }];
  const listed = (kind: 'read' | 'write', paths: readonly string[]) =>
    paths.map((path): Mount => ({ kind, path: expandHome(path, home), optional: true }));
  const narrow = programs.filter((folder) => home === undefined || !`${home}/`.startsWith(`${folder}/`));
  return [...shown, ...listed('read', [...narrow, ...options.readable]), ...userGitMounts(home), ...listed('write', options.writable)];
}

/** Of the root, only what is the worker's. The launcher in its scratch folder runs outside, so the folder is read-only. */
function rootMounts(layout: Layout, worker: string): readonly Mount[] {
  const { agent, cache } = sandboxPlaces(layout, worker);
  return [
    { kind: 'empty', path: layout.root },
    ...gitMounts(layout, worker),
    { kind: 'read', path: layout.scratch(worker) },
    ...[conversations(layout, worker), layout.spool(worker), agent, cache].map((path): Mount => ({ kind: 'write', path })),
    { kind: 'write', path: dirname(layout.agentSocket(worker)) },
  ];
}

/** Where an agent without a folder of its own keeps its conversations. */
export const conversations = (layout: Layout, worker: string): string => join(layout.scratch(worker), 'conversations');

/** Folders that must exist before the sandbox is made. */
export function foldersToMake(layout: Layout, worker: string): readonly string[] {
  const { agent, cache } = sandboxPlaces(layout, worker);
  return [conversations(layout, worker), layout.spool(worker), agent, cache, dirname(layout.agentSocket(worker))];
}

/** The supervisor outside finds the socket in the worker's own folder. */
function socketMounts({ layout, worker, socketFolder }: Enclosed): readonly Mount[] {
  return socketFolder === undefined ? [] : [{ kind: 'write', path: socketFolder, from: dirname(layout.agentSocket(worker)) }];
}

function configMounts({ layout, worker, env, configFolder }: Enclosed): readonly Mount[] {
  if (configFolder === undefined) return [];
  const { agent } = sandboxPlaces(layout, worker);
  const mount = (kind: 'read' | 'write') => (name: string) =>
    ({ kind, path: join(agent, name), from: join(configFolder.path(env), name), optional: true }) as const;
  return [...configFolder.readable.map(mount('read')), ...configFolder.login.map(mount('write'))];
}

/** What the environment says inside. A variable of the user's that names a cache stays. */
export function sandboxEnvironment(
  layout: Layout,
  worker: string,
  configFolder: ConfigFolder | undefined,
): Readonly<Record<string, string>> {
  const { agent, cache } = sandboxPlaces(layout, worker);
  return {
    TMPDIR: '/tmp',
    XDG_CACHE_HOME: cache,
    npm_config_cache: join(cache, 'npm'),
    ...(configFolder !== undefined && { [configFolder.variable]: agent, ...configFolder.env }),
  };
}
