import { LlmcError } from '../../base/error.ts';
import type { Worker } from '../../store/state.ts';
import { standing } from './transitions.ts';

/** An answer that waits to be read, without a commit: there is nothing to rebase or to land. */
export function isOnlyAnswer(worker: Pick<Worker, 'status' | 'status_before_offline' | 'answer' | 'commit_sha'>): boolean {
  return standing(worker) === 'needs_review' && worker.answer !== null && worker.commit_sha === null;
}

/** Refuses what needs a commit for a worker that has an answer alone, and says what to type instead. */
export function requireCommit(worker: Worker, verb: 'accept' | 'reject' | 'rebase'): void {
  if (!isOnlyAnswer(worker)) return;
  const { name } = worker;
  throw new LlmcError('ILLEGAL_TRANSITION', `${name} has an answer and no commit: there is nothing to ${verb}`, {
    hint:
      verb === 'reject'
        ? `Ask more: llmc message ${name} "…"; or you are done with it: llmc dismiss ${name}`
        : `You have read it (llmc review ${name}): llmc dismiss ${name}; ask more: llmc message ${name} "…"`,
  });
}
