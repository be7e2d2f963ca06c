import { pastTime } from '../../base/clock-time.ts';
import { LlmcError } from '../../base/error.ts';
import type { Instant } from '../../base/ports.ts';
import { refusalHint, refusalText } from '../../base/refusal-text.ts';
import type { Unwritable } from '../observe/write-watch.ts';
import { type Notice, noticeAbout } from './notice.ts';

/** Why llmc waits, and what to type. */
export function unwritableText({ refusal, since }: Unwritable, root: string, now: Instant): string {
  return `llmc has written nothing since ${pastTime(since, now)}, because ${refusalText(refusal)}; prompts and decisions wait, the agents keep running, and llmc continues by itself. ${hintFor(refusal, root)}`;
}

/** The same for a person who does not look at the terminal. */
export function unwritableNotice(unwritable: Unwritable, root: string, now: Instant): Notice {
  const reason = unwritableText(unwritable, root, now);
  const title = `llmc cannot write: ${refusalText(unwritable.refusal)}`;
  return noticeAbout({ title, text: reason, reason, status: 'cannot_write', kind: unwritable.refusal });
}

/** For a command that would have to wait until llmc can write again. */
export function cannotWriteError({ refusal }: Unwritable, root: string): LlmcError {
  const hint = `${hintFor(refusal, root)}. Then try again.`;
  return new LlmcError('FILESYSTEM_ERROR', `${refusalText(refusal)}, so nothing was changed`, { hint });
}

function hintFor(refusal: Unwritable['refusal'], root: string): string {
  return refusalHint(refusal, refusal === 'database_locked' ? `${root}/llmc.db` : root);
}
