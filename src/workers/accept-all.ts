import { LlmcError, messageOf } from '../base/error.ts';
import { clashesAmong } from '../git/rebase/clashes.ts';
import { outside } from '../git/run.ts';
import type { Worker } from '../store/state.ts';
import { landWork, refreshOthers } from './accept-work.ts';
import type { WorkContext } from './context.ts';
import { type AfterAcceptFailure, afterAccept } from './landing/after-accept.ts';
import type { AcceptResult } from './landing/finish-landing.ts';
import { landingOrder } from './landing/landing-order.ts';
import { reviewQueue } from './pool/pick.ts';

export interface AcceptAllRequest {
  /** Leave work alone that nobody has reviewed. */
  readonly requireReview?: boolean | undefined;
  readonly patrol?: boolean | undefined;
}

/** Work that did not land, and why. */
export interface LeftWork {
  readonly worker: string;
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

export interface AcceptAllResult {
  readonly accepted: readonly AcceptResult[];
  readonly left: readonly LeftWork[];
  /** The command of `[repo] after_accept` that failed. */
  readonly after_accept: AfterAcceptFailure | null;
}

/** Lands everything that is reviewed and clean, in the order in which most of it fits. The failure of one does not stop the others. */
export async function acceptAll(context: WorkContext, { requireReview, patrol }: AcceptAllRequest): Promise<AcceptAllResult> {
  const accepted: AcceptResult[] = [];
  const left: LeftWork[] = [];
  let main: { readonly branch: string; readonly sha: string } | undefined;
  for (const name of await inBestOrder(context)) {
    try {
      const landed = await landWork(context, { worker: name, requireReview, leaveConflicts: true });
      accepted.push(landed.accepted);
      main = { branch: landed.accepted.branch, sha: landed.main };
      context.say(`${name}: ${landed.accepted.commit === null ? 'nothing to land' : `landed ${landed.accepted.commit.slice(0, 12)}`}`);
    } catch (error) {
      context.signal.throwIfAborted();
      left.push(leftBecause(name, error));
      context.say(`${name}: ${messageOf(error)}`);
    }
  }
  // Once for all of them.
  const [last] = accepted.filter(({ commit }) => commit !== null).slice(-1);
  const after_accept = last === undefined ? null : await afterAccept(context, last.worker);
  if (patrol === true && main !== undefined) await refreshOthers(context, { main });
  return { accepted, left, after_accept };
}

async function inBestOrder({ git, layout, store }: WorkContext): Promise<readonly string[]> {
  const queue: readonly Worker[] = reviewQueue(store.state, { unseenFirst: false });
  const works = queue.flatMap(({ name, commit_sha, base_commit }) =>
    commit_sha === null ? [] : [{ name, head: commit_sha, base: base_commit }],
  );
  const names = queue.map(({ name }) => name);
  return landingOrder(names, await clashesAmong(outside(git), layout.root, works));
}

function leftBecause(worker: string, error: unknown): LeftWork {
  const known = error instanceof LlmcError ? error : undefined;
  return { worker, code: known?.code ?? 'INTERNAL', message: messageOf(error), hint: known?.hint ?? null };
}
