import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { mergeBase } from '../../git/inspect.ts';
import { hashPatch } from '../../git/landing/patch.ts';
import { trackingRef } from '../../git/refs.ts';
import { outside } from '../../git/run.ts';
import type { Worker } from '../../store/state.ts';
import type { Landing } from '../../store/tables/landings.ts';
import { tipToGoOn } from '../branch/run-base.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from './main-branch.ts';

/**
 * A review compares the work of a run with the branch that the run has landed on, and an accept for another place compares it with main,
 * or the other way round. Returns the refusal that says so; undefined if the review saw the work on `against` too.
 */
export async function reviewedElsewhere(
  context: WorkContext,
  worker: Worker,
  landing: Landing,
  against: string,
): Promise<LlmcError | undefined> {
  const { name, run, reviewed_commit: reviewed } = worker;
  if (run === null || reviewed === null) return undefined;
  const config = await context.config();
  const main = await mainBranch(context, config);
  const before = against === main ? await tipToGoOn(context, config, run.id) : { branch: main, sha: trackingRef(main) };
  if (before === undefined) return undefined;
  const { root } = context.layout;
  const from = await mergeBase(outside(context.git), root, reviewed, before.sha);
  if (from === undefined || (await hashPatch(context.git, root, from, reviewed)) !== worker.reviewed_patch_id) return undefined;
  const place = landing.branch === null ? ['--main'] : ['--branch', landing.branch];
  return new LlmcError(
    'PATCH_CHANGED',
    `the work of ${name} was reviewed against ${before.branch}, and what lands on ${landing.branch ?? main} is compared with ${against}: that is not what was reviewed`,
    { hint: `Review what would land: ${commandLine('llmc', 'review', name, ...place)}` },
  );
}
