import { type Git, type GitCall, write } from '../run.ts';
import { parseRefs, refsCall } from './list-refs.ts';

export const deleteRefsCall = (root: string, names: readonly string[]): GitCall => ({
  ...write(root, 'update-ref', '--stdin'),
  stdin: names.map((name) => `delete ${name}\n`).join(''),
});

/** Forgets the imported commits of a worker that is removed. */
export async function forgetImported(git: Git, root: string, worker: string): Promise<void> {
  const names = [...parseRefs(await git.ok(refsCall(root, `refs/llmc/imported/${worker}`))).keys()];
  if (names.length > 0) await git.ok(deleteRefsCall(root, names));
}
