import type { Instant } from '../../base/ports.ts';
import { type Git, type GitCall, read, write } from '../run.ts';
import type { Rescue } from './rescue-ref.ts';

/** Each ref only while it still is what was listed: a rescue that was made meanwhile stays. */
export const pruneRescuesCall = (root: string, rescues: readonly Pick<Rescue, 'ref' | 'sha'>[]): GitCall => ({
  ...write(root, 'update-ref', '--stdin', '-z'),
  stdin: rescues.map(({ ref, sha }) => `delete ${ref}\0${sha}\0`).join(''),
});

/** What a rescue holds beyond the branches, in bytes on disk. Rescues that hold the same count it each. */
const diskUsageCall = (root: string, sha: string): GitCall =>
  read(root, 'rev-list', '--disk-usage', '--objects', sha, '--not', '--branches', '--remotes');

/** `20260131T235959Z` of the name. An agent can give a commit any date, but llmc chose the name. */
function namedAt({ name }: Pick<Rescue, 'name'>): Instant {
  const [, year, month, day, hour, minute, second] = /\/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(name) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
}

/** The rescues older than a moment, by name and by date. `kept` are rescues that a worker still refers to. */
export function prunable(rescues: readonly Rescue[], before: Instant, kept: ReadonlySet<string>): readonly Rescue[] {
  return rescues.filter((rescue) => rescue.at < before && namedAt(rescue) < before && !kept.has(rescue.name));
}

export async function measureRescue(git: Git, root: string, { sha }: Rescue): Promise<number | null> {
  const { status, stdout } = await git.run(diskUsageCall(root, sha));
  const bytes = Number(stdout.trim());
  return status === 0 && stdout.trim() !== '' && Number.isSafeInteger(bytes) ? bytes : null;
}
