import type { ErrorCode } from '../../base/error-codes.ts';
import { evaluate } from '../definition/condition.ts';
import type { Reaction } from '../definition/plan.ts';
import type { Turn } from './turn.ts';
import { collectValues } from './values.ts';

/** Every decision stores the notices of its run. */
const MOST_NOTICES = 20;

/** Tells a person about a failure that the run goes on from by itself, if the workflow file wants it. A value that is missing wants it too. */
export function noticeIfWanted(turn: Turn, address: string, reaction: Reaction, code: ErrorCode, text: string): void {
  if (reaction.kind !== 'skip' && reaction.kind !== 'rollback') return;
  const { notify } = reaction;
  if (notify === undefined || (notify !== true && evaluate(notify, collectValues(turn.run, address)) === false)) return;
  const { notices } = turn.run;
  const notice = { number: (notices.at(-1)?.number ?? 0) + 1, at: turn.at, step: address, code, text };
  turn.change({ notices: [...notices, notice].slice(-MOST_NOTICES) });
  turn.note(address, 'a person is notified');
}
