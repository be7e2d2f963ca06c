import { LlmcError } from '../../base/error.ts';
import type { LossOrigin, Proof } from '../../proof/proof.ts';
import type { ObjectView } from '../object-view.ts';
import type { Git, GitCall } from '../run.ts';

/** One process each; in files beyond this number, lines are named without their commits. */
const MOST_FILES = 20;
/** The review is worth more than the name of a commit. */
const LIMIT = { timeoutMs: 10_000 };

const blameCall = (view: ObjectView, onto: string, base: string, path: string, lines: readonly number[]): GitCall =>
  view.call(
    'blame',
    '--porcelain',
    '--encoding=UTF-8',
    '--no-textconv',
    // Without the commits that a setting of the user leaves out.
    '--ignore-revs-file=',
    ...lines.map((line) => `-L${line},${line}`),
    onto,
    `^${base}`,
    '--',
    path,
  );

/** Names the commit of main that wrote each line of main which the result lacks. A line stays without one if git cannot say it in time. */
export async function nameOrigins(
  git: Git,
  view: ObjectView,
  proof: Proof,
  sides: { readonly base: string; readonly onto: string },
): Promise<Proof> {
  const own = [...proof.dropped, ...proof.replaced].filter(({ side }) => side === 'main');
  const byPath = [...Map.groupBy(own, ({ path }) => path)].slice(0, MOST_FILES);
  if (byPath.length === 0) return proof;
  const found = await Promise.all(
    byPath.map(async ([path, lines]) => {
      const call = blameCall(view, sides.onto, sides.base, path, [...new Set(lines.map(({ line }) => line))]);
      return [path, parseBlame(await readOrEmpty(git, call))] as const;
    }),
  );
  const origins = new Map(found);
  const named = <Line extends { readonly side: string; readonly path: string; readonly line: number }>(line: Line) => ({
    ...line,
    origin: line.side === 'main' ? (origins.get(line.path)?.get(line.line) ?? null) : null,
  });
  return { ...proof, dropped: proof.dropped.map(named), replaced: proof.replaced.map(named) };
}

async function readOrEmpty(git: Git, call: GitCall): Promise<string> {
  try {
    const { status, stdout } = await git.run(call, LIMIT);
    return status === 0 ? stdout : '';
  } catch (error) {
    if (error instanceof LlmcError && error.code === 'GIT_FAILED') return '';
    throw error;
  }
}

/** Reads `git blame --porcelain`: each line begins with its commit and its number, and each commit is described once. */
function parseBlame(output: string): ReadonlyMap<number, LossOrigin> {
  const commits = new Map<string, { author: string; subject: string; isOlder: boolean }>();
  const lines: { readonly line: number; readonly commit: string }[] = [];
  let current = { author: '', subject: '', isOlder: false };
  for (const text of output.split('\n')) {
    const [, commit, line] = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(text) ?? [];
    if (commit !== undefined) {
      current = commits.get(commit) ?? { author: '', subject: '', isOlder: false };
      commits.set(commit, current);
      lines.push({ line: Number(line), commit });
    } else if (text.startsWith('author ')) current.author = text.slice('author '.length);
    else if (text.startsWith('summary ')) current.subject = text.slice('summary '.length);
    else if (text === 'boundary') current.isOlder = true;
  }
  return new Map(
    lines.flatMap(({ line, commit }) => {
      const { author = '', subject = '', isOlder = true } = commits.get(commit) ?? {};
      return isOlder ? [] : [[line, { commit, author, subject }] as const];
    }),
  );
}
