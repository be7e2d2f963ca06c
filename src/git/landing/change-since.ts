import { type Change, type ChangeOptions, changeIn } from '../diff.ts';
import { openObjectView } from '../object-view.ts';
import { type Git, gitCommand } from '../run.ts';
import { mergeCall } from './same-change.ts';

const TIMEOUT_MS = 600_000;

/**
 * What differs between reviewed work and the work as it is now, without what main gained in between: the reviewed commit is merged onto
 * the main that the work is on now, and the result is compared with the work. Undefined if that merge has conflicts, or if git does not
 * have the reviewed commit any more.
 */
export async function changeSince(
  git: Git,
  root: string,
  { base, reviewed, head }: { readonly base: string; readonly reviewed: string; readonly head: string },
  options: ChangeOptions = {},
): Promise<Change | undefined> {
  await using view = await openObjectView(root, base);
  const merged = await git.run(mergeCall(view, base, reviewed));
  const tree = merged.stdout.trim();
  if (merged.status !== 0 || tree === '') return undefined;
  return await changeIn(view, tree, head, options, (call) => git.processes.run(gitCommand(call), { timeoutMs: TIMEOUT_MS }));
}
