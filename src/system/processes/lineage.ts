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
export function* lineageOf(pid: number): Generator<Relative | 'too many'> {
  const seen = new Set<number>();
  const next = [pid];
  for (let one = next.shift(); one !== undefined; one = next.shift()) {
    if (one <= 1 || seen.has(one)) continue;
    if (seen.size >= MOST) return yield 'too many';
    seen.add(one);
    const found = statOf(one);
    if (found === undefined) continue;
    yield { pid: one, name: found.name };
    next.push(found.parent, found.session);
  }
}

/** See proc(5). The name is in brackets and may contain any character; state, parent, group and session follow the last bracket. */
function statOf(pid: number): { readonly name: string; readonly parent: number; readonly session: number } | undefined {
  const stat = readProc(pid, 'stat');
  const end = stat.lastIndexOf(')');
  const [, parent, , session] = stat.slice(end + 2).split(' ');
  if (end < 0 || session === undefined) return undefined;
  return { name: stat.slice(stat.indexOf('(') + 1, end), parent: Number(parent), session: Number(session) };
}

/** A file of a process in /proc; '' when the process has ended or belongs to another user. */
export function readProc(pid: number, file: 'stat' | 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
