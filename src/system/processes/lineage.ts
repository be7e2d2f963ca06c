import { readFileSync } from 'node:fs';

export interface Relative {
  readonly pid: number;
  /** Its short name, such as `tmux: server`. */
  readonly name: string;
}

/** Deeper than any real nesting; a process could otherwise make the search long. */
const MOST = 500;

/**
 * The process and everything above it: parents, and the leaders of their sessions, because a process whose parent has ended belongs to
 * init but stays in its session. Ends with `too many` after 500. Works only on Linux; yields nothing elsewhere.
 */
export function* walkLineage(pid: number): Generator<Relative | 'too many'> {
  const seen = new Set<number>();
  const next = [pid];
  for (let one = next.shift(); one !== undefined; one = next.shift()) {
    if (one <= 1 || seen.has(one)) continue;
    if (seen.size >= MOST) return yield 'too many';
    seen.add(one);
    const found = readKin(one);
    if (found === undefined) continue;
    yield { pid: one, name: found.name };
    next.push(found.parent, found.session);
  }
}

/** A process as /proc/<pid>/stat describes it. */
export interface Kin extends Relative {
  readonly parent: number;
  readonly session: number;
  /** The device number of its controlling terminal; 0 without one. */
  readonly terminal: number;
  /** When it began, in clock ticks since the machine started. The kernel writes it, and no process can change it. */
  readonly started: number;
  /** It has ended, and its parent has not collected it yet. */
  readonly isDead: boolean;
}

/** Undefined for a process that has ended, or that this user may not see. See proc(5): the name is in brackets and may contain any character. */
export function readKin(pid: number): Kin | undefined {
  const stat = readProc(pid, 'stat');
  const end = stat.lastIndexOf(')');
  const fields = stat.slice(end + 2).split(' ');
  const [parent, session, terminal, started] = [1, 3, 4, 19].map((at) => Number(fields[at]));
  if (end < 0 || parent === undefined || session === undefined || terminal === undefined || !Number.isFinite(started ?? Number.NaN))
    return undefined;
  return { pid, name: stat.slice(stat.indexOf('(') + 1, end), parent, session, terminal, started: started ?? 0, isDead: fields[0] === 'Z' };
}

/** A file of a process in /proc; '' when the process has ended or belongs to another user. */
export function readProc(pid: number, file: 'stat' | 'cmdline' | 'environ' | 'status' | 'cgroup' | 'sessionid'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
