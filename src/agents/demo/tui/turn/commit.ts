import type { RunCommand } from './shell.ts';

export interface Committed {
  readonly ok: boolean;
  readonly text: string;
}

// Without a configured identity git refuses to commit (git 2.39: "Please tell me who you are").
const IDENTITY = ['-c', 'user.name=llmc demo agent', '-c', 'user.email=demo-agent@llmc.invalid'];

/** Commits everything in the worktree. Succeeds if there is nothing to commit, because the commit may already exist after a crash. */
export async function commitAll(run: RunCommand, message: string, signal: AbortSignal): Promise<Committed> {
  const email = await run(['git', 'config', 'user.email'], signal);
  const identity = email.output.trim() === '' ? IDENTITY : [];
  const added = await run(['git', 'add', '--all'], signal);
  if (added.status !== 0) return { ok: false, text: added.output };
  const staged = await run(['git', 'diff', '--cached', '--quiet'], signal);
  if (staged.status === 0) return { ok: true, text: 'nothing to commit' };
  const committed = await run(['git', ...identity, 'commit', '--message', message], signal);
  return { ok: committed.status === 0, text: committed.output };
}
