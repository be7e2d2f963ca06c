import { wholeDiff } from '../../git/diff.ts';
import { changeSince } from '../../git/landing/change-since.ts';
import { outside } from '../../git/run.ts';
import { listRejections } from '../../store/tables/rejections.ts';
import type { WorkContext } from '../context.ts';
import type { SinceReview } from './review-result.ts';
import { reviewedFile } from './reviewed-file.ts';

interface Now {
  readonly base: string;
  readonly head: string;
  readonly ignoreWhitespace: boolean;
}

/** What the worker has made of the last rejection; null if its work was not sent back. */
export async function sinceReview(context: WorkContext, name: string, { base, head, ignoreWhitespace }: Now): Promise<SinceReview | null> {
  const [last] = listRejections(context.store.database, name);
  if (last === undefined) return null;
  const { reviewed, feedback, notes, at_ms } = last;
  const said = { reviewed, feedback, notes, at_unix: Math.floor(at_ms / 1_000) };
  const change =
    reviewed === null
      ? undefined
      : await changeSince(outside(context.git), context.layout.root, { base, reviewed, head }, { ignoreWhitespace });
  // A part of the changes would pass for all of them.
  if (change === undefined || change.omitted.length > 0) return { ...said, files: [], stat: '', diff: null };
  return { ...said, files: change.files.map(reviewedFile), stat: change.stat, diff: wholeDiff(change) };
}
