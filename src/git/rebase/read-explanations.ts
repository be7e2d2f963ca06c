import { type Explanation, parseExplanations } from '../../proof/explain.ts';
import type { ObjectView } from '../object-view.ts';
import type { Git, GitCall } from '../run.ts';

const trailersCall = (view: ObjectView, onto: string, result: string): GitCall =>
  view.call(
    'log',
    '-z',
    '--max-count=1000',
    '--no-show-signature',
    '--encoding=UTF-8',
    '--format=%(trailers:key=Dropped,key=Restored,unfold)',
    '--end-of-options',
    `${onto}..${result}`,
    '--',
  );

/** The trailers of the commits in `onto..result` that name lost lines. */
export async function readExplanations(git: Git, view: ObjectView, onto: string, result: string): Promise<readonly Explanation[]> {
  return parseExplanations((await git.ok(trailersCall(view, onto, result))).replaceAll('\0', '\n'));
}
