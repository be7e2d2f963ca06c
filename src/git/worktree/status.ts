import { splitZ } from '../run.ts';

export interface Change {
  readonly path: string;
  readonly kind: 'changed' | 'unmerged' | 'untracked';
}

export interface Status {
  /** Undefined before the first commit. */
  readonly head: string | undefined;
  /** Undefined when HEAD is detached. */
  readonly branch: string | undefined;
  readonly changes: readonly Change[];
}

/** Fields before the path in each kind of line of `--porcelain=v2` without renames. */
const FIELDS: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1 };

export function parseStatus(text: string): Status {
  let head: string | undefined;
  let branch: string | undefined;
  const changes: Change[] = [];
  for (const line of splitZ(text)) {
    if (line.startsWith('# branch.oid ')) head = unless(line.slice(13), '(initial)');
    else if (line.startsWith('# branch.head ')) branch = unless(line.slice(14), '(detached)');
    const fields = FIELDS[line[0] ?? ''];
    if (fields === undefined) continue;
    const path = line.split(' ').slice(fields).join(' ');
    changes.push({ path, kind: line[0] === '?' ? 'untracked' : line[0] === 'u' ? 'unmerged' : 'changed' });
  }
  return { head, branch, changes };
}

const unless = (value: string, none: string): string | undefined => (value === none ? undefined : value);
