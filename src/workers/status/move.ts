import { LlmcError } from '../../base/error.ts';
import type { Instant } from '../../base/ports.ts';
import type { Worker } from '../../store/state.ts';
import type { Status } from '../../store/statuses.ts';
import { describeStatus } from './status-words.ts';
import { standing, TRANSITIONS, transition, type WorkerEvent } from './transitions.ts';

/**
 * Applies an event to a worker of a draft state. Throws on an illegal pair. While the worker is offline,
 * the event changes the status that it will have when it comes back.
 */
export function move(worker: Worker, event: WorkerEvent, now: Instant, fields: Partial<Worker> = {}): void {
  const status = target(worker, event);
  const stays = worker.status === 'offline' && event !== 'came_back';
  const moved = stays
    ? { status_before_offline: status }
    : { status, status_before_offline: event === 'went_offline' ? worker.status : null };
  // After the user continues a worker that was given up, it gets the full number of restarts again.
  const forgiven = event === 'continued' && standing(worker) === 'error' ? { crash_count: 0 } : {};
  // The next task may expect something else.
  const withoutTask =
    status === 'idle'
      ? { expects: 'commit' as const, summary: null, answer: null, formatted: null, left_out: null, resolution: null, failed_turn: null }
      : {};
  // The history keeps the earlier answer.
  const withoutAnswer = event === 'continued' || event === 'committed' ? { answer: null } : {};
  // Nobody has seen the new commit, or the new answer.
  const isNew = status === 'idle' || event === 'committed' || event === 'gave_answer' || event === 'resolved';
  const unseen = isNew ? { shown_revision: null } : {};
  // What a person had seen before the feedback counts as seen only as long as the agent leaves it as it is.
  const isLeft = fields.attention?.kind === 'commit_unchanged' && fields.attention.to_review === true;
  const unreviewed = standing(worker) === 'rejected' && !isSessionEvent(event) && !isLeft ? { reviewed_patch_id: null } : {};
  const mark = { came_back_unchanged: staysUnchanged(worker, event, status, fields) };
  // The commit that conflicted is gone; the next refresh says whether the new one conflicts too.
  const withoutConflicts = status === 'idle' || event === 'committed' || event === 'resolved' ? { conflicted_files: [] } : {};
  // Other work may belong elsewhere.
  const withoutPlace = status === 'idle' || event === 'assigned' || event === 'rejected' ? { chosen_place: null } : {};
  // Its session is needed again.
  const awake = worker.run?.resting === true && WAKING.includes(event) ? { run: { ...worker.run, resting: false } } : {};
  // The age of work that waits for a person must survive a restart of llmc.
  const active = isSessionEvent(event) ? {} : { last_activity_unix: Math.floor(now / 1_000) };
  const gone = { ...withoutTask, ...withoutAnswer, ...unseen, ...unreviewed, ...mark, ...withoutConflicts, ...withoutPlace };
  Object.assign(worker, moved, active, forgiven, gone, awake, fields);
}

/**
 * Whether the commit is one that a person sent back and that nobody has changed since. The attention says so too, until another one takes
 * its place, such as one about an accept that failed or an agent that ended.
 */
function staysUnchanged(worker: Worker, event: WorkerEvent, status: Status, { attention, commit_sha: commit }: Partial<Worker>): boolean {
  if (standing(worker) === 'rejected' && attention?.kind === 'commit_unchanged') return true;
  if (status === 'idle' || event === 'assigned' || event === 'rejected' || event === 'gave_answer') return false;
  return worker.came_back_unchanged && (event !== 'committed' || (commit !== undefined && commit === worker.commit_sha));
}

/** Events after which an agent has something to do. */
const WAKING: readonly WorkerEvent[] = ['assigned', 'continued', 'rejected', 'conflicted'];

/**
 * Writes a move for the history, with the names of the table of statuses: `working → needs_review (committed): the turn ended
 * with a commit`. While the worker is offline, from the status before to the status that it will have.
 */
export function moveLine(worker: Moving, event: WorkerEvent, why: string): string {
  const from = event === 'came_back' ? worker.status : standing(worker);
  return `${from} → ${target(worker, event)} (${event}): ${why}`;
}

type Moving = Pick<Worker, 'name' | 'status' | 'status_before_offline'>;

function target(worker: Moving, event: WorkerEvent): Status {
  const from = isSessionEvent(event) ? worker.status : standing(worker);
  const result = transition({ status: from, status_before_offline: worker.status_before_offline }, event);
  if (result.kind === 'to') return result.status;
  const able = TRANSITIONS[event].from.map(describeStatus).join(', ');
  throw new LlmcError('ILLEGAL_TRANSITION', `${worker.name} ${describeStatus(from)}; this needs a worker that ${able}`, {
    hint: `llmc why ${worker.name}`,
  });
}

/** An event of the session, not of the work. */
function isSessionEvent(event: WorkerEvent): boolean {
  return event === 'came_back' || event === 'went_offline';
}
