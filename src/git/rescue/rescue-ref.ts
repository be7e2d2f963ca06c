import type { Instant } from '../../base/ports.ts';
import type { GitCall } from '../run.ts';
import { read } from '../run.ts';

export const RESCUE_PREFIX = 'refs/llmc/rescue/';

export interface Rescue {
  readonly ref: string;
  /** `<worker>/<time>`, as users type it. */
  readonly name: string;
  readonly worker: string;
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly at: Instant;
  readonly reason: string;
  /** How many files were not committed. */
  readonly files: number;
  /** How many commits main did not have; null in a rescue of an earlier version. */
  readonly commits: number | null;
  /** What the worker was working on. */
  readonly task: string | null;
}

/** The saved part of a repository inside the worktree. Its commit is another parent of the rescue. */
export interface Inside {
  readonly path: string;
  readonly sha: string;
  /** The commit that was checked out there; null before the first commit. */
  readonly head: string | null;
  /** The commit that the outer repository had recorded. */
  readonly recorded: string | null;
  /** `folder`: not a repository, only files at the path of one. */
  readonly kind: 'repository' | 'folder';
}

/** `20260131T235959Z`; a second rescue in the same second gets `-2`. */
export function rescueName(worker: string, at: Instant, nth = 1): string {
  const stamp = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');
  return nth === 1 ? `${worker}/${stamp}` : `${worker}/${stamp}-${nth}`;
}

export const listRescuesCall = (root: string, worker?: string): GitCall =>
  read(
    root,
    'for-each-ref',
    '--sort=-refname',
    '--format=%(refname)%00%(objectname)%00%(tree)%00%(parent)%00%(committerdate:unix)%00%(contents:subject)%00%(contents:body)%00',
    worker === undefined ? RESCUE_PREFIX.slice(0, -1) : `${RESCUE_PREFIX}${worker}`,
  );

export function parseRescues(text: string): Rescue[] {
  const fields = text.split('\0');
  const rescues: Rescue[] = [];
  for (let start = 0; start + 7 <= fields.length; start += 7) {
    const [ref = '', sha = '', tree = '', parents = '', seconds = '', subject = '', body = ''] = fields.slice(start, start + 7);
    const name = ref.trim().slice(RESCUE_PREFIX.length);
    rescues.push({
      ref: ref.trim(),
      name,
      worker: name.slice(0, name.indexOf('/')),
      sha,
      tree,
      parents: parents.split(' ').filter(Boolean),
      at: Number(seconds) * 1_000,
      reason: subject.replace(/^rescue \S+: /, ''),
      ...parseBody(body),
    });
  }
  return rescues.sort((a, b) => b.at - a.at || b.name.localeCompare(a.name, 'en', { numeric: true }));
}

/** Reads what `rescueMessage` wrote. No path can pass for a line of ours: paths are indented. */
function parseBody(body: string): Pick<Rescue, 'files' | 'commits' | 'task'> {
  const commits = /^Commits: (\d+)$/m.exec(body)?.[1];
  return {
    files: body.split('\n').filter((line) => line.startsWith('  ')).length,
    commits: commits === undefined ? null : Number(commits),
    task: /^Task: (.+)$/m.exec(body)?.[1] ?? null,
  };
}

export interface RescueNotes {
  readonly inside?: readonly Inside[];
  readonly commits?: number | undefined;
  readonly task?: string | undefined;
}

export function rescueMessage(worker: string, reason: string, files: readonly string[], notes: RescueNotes = {}): string {
  const { inside = [], commits, task } = notes;
  const listed = files.length === 0 ? 'Nothing was uncommitted.' : `Uncommitted:\n${files.map((file) => `  ${file}`).join('\n')}`;
  const paragraphs = [`rescue ${worker}: ${reason.replaceAll(/\s+/g, ' ').trim()}`, listed];
  if (commits !== undefined) paragraphs.push(`Commits: ${commits}`);
  if (task !== undefined) paragraphs.push(`Task: ${task}`);
  if (inside.length > 0) paragraphs.push(inside.map((each) => `${INSIDE}${JSON.stringify(each)}`).join('\n'));
  return paragraphs.join('\n\n');
}

/** Starts a line. No path of the list above can start with it: those lines are indented. */
const INSIDE = 'Inside: ';

/** Reads the lines that `rescueMessage` wrote. */
export function parseInside(message: string): Inside[] {
  const lines = message.split('\n').filter((line) => line.startsWith(INSIDE));
  return lines.map((line): Inside => JSON.parse(line.slice(INSIDE.length)));
}
