/** One thing that a sandboxed process sees. Later ones cover earlier ones. */
export type Mount =
  /** `from`: where it is outside, if that is another path. `optional`: left out if it does not exist there. */
  | { readonly kind: 'read' | 'write'; readonly path: string; readonly from?: string; readonly optional?: true }
  /** An empty folder in memory, gone when the process ends. */
  | { readonly kind: 'empty'; readonly path: string };

export interface SandboxView {
  readonly mounts: readonly Mount[];
  readonly network: 'full' | 'hosts' | 'none';
  /** The directory that the command begins in. */
  readonly cwd: string;
}

export const BUBBLEWRAP = 'bwrap';

/**
 * The command line of bubblewrap 0.8 before the command itself. All namespaces are new, so no process, socket or message queue
 * outside can be reached; no capability is left. `--new-session` is missing on purpose: the agent would lose its terminal and no
 * longer learn its size. The terminal is a pane of tmux that nothing else reads, so typing into it (TIOCSTI) gains an agent nothing.
 */
export function bubblewrap({ mounts, network, cwd }: SandboxView): readonly string[] {
  return [
    BUBBLEWRAP,
    '--unshare-all',
    '--unshare-user',
    ...(network === 'full' ? ['--share-net'] : []),
    '--cap-drop',
    'ALL',
    '--die-with-parent',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    ...mounts.flatMap(mountArguments),
    '--chdir',
    cwd,
    '--',
  ];
}

function mountArguments(mount: Mount): readonly string[] {
  if (mount.kind === 'empty') return ['--tmpfs', mount.path];
  const option = `--${mount.kind === 'read' ? 'ro-bind' : 'bind'}${mount.optional === true ? '-try' : ''}`;
  return [option, mount.from ?? mount.path, mount.path];
}

/** Where /etc/resolv.conf may lead. */
const RESOLVERS = ['/run/systemd/resolve/stub-resolv.conf', '/run/systemd/resolve/resolv.conf', '/run/NetworkManager/resolv.conf'];

/** Every program of the system, and no socket of a service: those are below /run and /var. */
export const SYSTEM_MOUNTS: readonly Mount[] = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/etc', '/opt', '/nix/store'].map(
    (path): Mount => ({ kind: 'read', path, optional: true }),
  ),
  { kind: 'empty', path: '/tmp' },
  { kind: 'empty', path: '/run' },
  ...RESOLVERS.map((path): Mount => ({ kind: 'read', path, optional: true })),
];
