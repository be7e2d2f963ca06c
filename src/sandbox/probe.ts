import { LlmcError } from '../base/error.ts';
import type { Processes } from '../base/ports.ts';
import { BUBBLEWRAP, bubblewrap, SYSTEM_MOUNTS } from './bubblewrap.ts';

export type SandboxProbe =
  | { readonly kind: 'works' }
  | { readonly kind: 'missing' }
  /** The kernel, or a container around llmc, refuses the namespaces. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Starts `true` with the options that agents get: only that shows whether the kernel allows them. */
export async function probeBubblewrap(processes: Processes): Promise<SandboxProbe> {
  const [file = BUBBLEWRAP, ...args] = bubblewrap({ mounts: SYSTEM_MOUNTS, network: 'none', cwd: '/' });
  const { outcome, stderr } = await processes.run({ file, args: [...args, 'true'] }, { timeoutMs: 10_000 });
  if (outcome.kind === 'exited' && outcome.status === 0) return { kind: 'works' };
  if (outcome.kind === 'not-started' && outcome.missing) return { kind: 'missing' };
  return { kind: 'refused', reason: stderr.trim().split('\n')[0] || outcome.kind };
}

/** What to type when a sandbox cannot be made. */
export function sandboxHint(probe: Exclude<SandboxProbe, { kind: 'works' }>): string {
  return probe.kind === 'missing'
    ? 'Install it (Debian: apt install bubblewrap, Fedora: dnf install bubblewrap).'
    : 'Allow user namespaces: sudo sysctl -w kernel.unprivileged_userns_clone=1, or on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0. A container needs --security-opt seccomp=unconfined.';
}

/** Throws if no sandbox can be made: the agent must not start without the one that the user asked for. */
export async function requireBubblewrap(processes: Processes, worker: string): Promise<void> {
  const probe = await probeBubblewrap(processes);
  if (probe.kind === 'works') return;
  const problem = probe.kind === 'missing' ? 'bubblewrap is not installed' : `bubblewrap cannot make a sandbox: ${probe.reason}`;
  throw new LlmcError('SANDBOX_FAILED', `${worker} was not started: ${problem}`, {
    hint: `${sandboxHint(probe)} Or set sandbox = "none" under [workers.${worker}]; llmc then tries again.`,
  });
}
