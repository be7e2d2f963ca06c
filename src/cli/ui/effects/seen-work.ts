import { LlmcError } from '../../../base/error.ts';
import { commandLine } from '../../../base/shell-quote.ts';
import { visibleLine } from '../../../base/visible-text.ts';
import { type Effect, type SeenWork, showsSameWork } from '../../../tui/model/effect.ts';
import { changedDrafts } from '../../../workers/review/text/draft-words.ts';
import { seenIn } from '../live/read-shown-work.ts';
import type { EffectOutcome, Surroundings } from '../outcome.ts';

type Of<Kind extends Effect['kind']> = Extract<Effect, { kind: Kind }>;

const PATIENCE_MS = 120_000;

/** Records that a person has seen this work, then lands it. Work that changed meanwhile is refused by either step. */
export async function acceptSeen({ worker, seen }: Of<'accept'>, { own, shell }: Surroundings): Promise<EffectOutcome> {
  await countAsSeen(worker, seen, own);
  const { commit, branch, subject } = await own.call('accept', { worker, requireReview: true, patrol: shell.options.patrol });
  const text =
    commit === null
      ? `${worker}: nothing to land, its work changes nothing on ${branch}.`
      : `${worker}: landed ${commit.slice(0, 12)} on ${branch}: ${visibleLine(subject)}`;
  return { notice: { tone: 'good', text } };
}

/** The same without landing: `llmc review --next` then shows other work first. */
export async function markSeen({ worker, seen }: Of<'mark-seen'>, { own }: Surroundings): Promise<EffectOutcome> {
  await countAsSeen(worker, seen, own);
  return {};
}

/** Another commit of the same work has been seen too. */
async function countAsSeen(worker: string, seen: SeenWork, own: Surroundings['own']): Promise<void> {
  const review = async (ifHead: string) => {
    const { message } = await own.call('review', { worker, ifHead, patrol: false });
    if (message === seen.message) return;
    throw new LlmcError('WORK_CHANGED', `the commit message of ${worker} has been edited since it was shown`, {
      hint: commandLine('llmc', 'review', worker),
    });
  };
  try {
    await review(seen.head);
  } catch (error) {
    if (!(error instanceof LlmcError) || error.code !== 'WORK_CHANGED' || !seen.isWhole) throw error;
    const now = seenIn(await own.call('review', { worker, beforeAccept: true, patrol: false }), false);
    if (now.head === seen.head || !showsSameWork(seen, now)) throw error;
    await review(now.head);
  }
}

export async function rejectSeen({ worker, feedback, notes, drafts }: Of<'reject'>, { own }: Surroundings): Promise<EffectOutcome> {
  const {
    state,
    earlier_ms: earlier,
    changed_drafts: changed,
  } = await own.call('reject', {
    worker,
    feedback,
    notes: [...notes],
    drafts: [...drafts],
    timeoutMs: PATIENCE_MS,
  });
  const stays = { changedDrafts: changed };
  if (earlier !== null) return { ...stays, notice: { tone: 'bad', text: `${worker} has this feedback already: it was not sent again.` } };
  const text = state === 'held' ? `${worker} gets the feedback when it is ready for it.` : `${worker} has the feedback.`;
  const tone = changed.length > 0 ? 'bad' : 'good';
  return { ...stays, notice: { tone, text: [text, ...changedDrafts(changed.length)].join(' ') } };
}

export async function dismissSeen(worker: string, { own }: Surroundings): Promise<EffectOutcome> {
  const { rescued } = await own.call('dismiss', { worker });
  const text = `The answer of ${worker} is dismissed.${rescued === null ? '' : ` Its files are saved: ${rescued}`}`;
  return { notice: { tone: 'good', text } };
}
