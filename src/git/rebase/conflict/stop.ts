import { join } from 'node:path';
import { type Git, type GitCall, read } from '../../run.ts';
import type { RebaseStop } from './facts.ts';

/** A stop with what is needed to repeat the merge that failed. */
export interface Stopped extends RebaseStop {
  /** The parent of the commit that git could not apply; undefined for the first commit of a history. */
  readonly parent: string | undefined;
  readonly head: { readonly commit: string; readonly tree: string };
}

const gitDirCall = (worktree: string): GitCall => read(worktree, 'rev-parse', '--absolute-git-dir');
const commitsCall = (worktree: string, stopped: string): GitCall =>
  read(
    worktree,
    '-c',
    'core.commitGraph=false',
    'log',
    '-z',
    '--no-walk=unsorted',
    '--no-show-signature',
    '--encoding=UTF-8',
    '--format=%H%n%T%n%P%n%s',
    'HEAD',
    stopped,
    '--',
  );

/** The files hold one number or one hash. */
const LONGEST_NOTE = 1_000;
const MOST_COMMITS = 1_000_000;

/** Reads where a rebase has stopped. An agent can write these files, so only a hash of an existing commit and small numbers count. */
export async function readStop(git: Git, worktree: string): Promise<Stopped | undefined> {
  const gitDir = (await git.ok(gitDirCall(worktree))).replace(/\n$/, '');
  const note = async (name: string) => (await git.files.readPlain(join(gitDir, 'rebase-merge', name), LONGEST_NOTE))?.trim();
  const [stopped = '', position, total] = await Promise.all([note('stopped-sha'), note('msgnum'), note('end')]);
  if (!/^[0-9a-f]{7,64}$/.test(stopped)) return undefined;
  const answer = await git.run(commitsCall(worktree, stopped));
  const [head, commit] = answer.status === 0 ? answer.stdout.split('\0').map(parseCommit) : [];
  if (head === undefined || commit === undefined) return undefined;
  return {
    commit: commit.hash,
    subject: commit.subject,
    progress: progressOf(position, total),
    parent: commit.parents[0],
    head: { commit: head.hash, tree: head.tree },
  };
}

function parseCommit(record: string) {
  const [hash = '', tree = '', parents = '', subject = ''] = record.replace(/^\n/, '').split('\n');
  return { hash, tree, subject, parents: parents.split(' ').filter(Boolean) };
}

export function progressOf(position = '', total = ''): RebaseStop['progress'] {
  if (!/^\d{1,7}$/.test(position) || !/^\d{1,7}$/.test(total)) return undefined;
  const progress = { position: Number(position), total: Number(total) };
  return progress.position >= 1 && progress.position <= progress.total && progress.total <= MOST_COMMITS ? progress : undefined;
}
