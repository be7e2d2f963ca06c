import type { Activity, Dialog } from '../../agents/activity.ts';
import type { Instant } from '../../base/ports.ts';
import type { RecordedEvent } from '../../store/tables/events.ts';

/** The state that results from an agent's own reports, within one incarnation. */
export interface Reported {
  /** The agent's latest report of its activity; null before its first report. */
  readonly latest: { readonly activity: Activity; readonly at: Instant; readonly seq: number; readonly event: string } | null;
  readonly conversationId: string | null;
  /** Prompts accepted since the conversation was last empty. */
  readonly promptsInConversation: number;
  /** `id`: llmc's own id of the prompt, where the agent returns it. */
  readonly accepted: readonly { readonly seq: number; readonly at: Instant; readonly text: string; readonly id?: string | undefined }[];
  /** When the agent last reported anything; null before its first report. */
  readonly at: Instant | null;
  readonly lastTurn: { readonly seq: number; readonly at: Instant; readonly message: string } | null;
  /** The number of the last report that a tool began or ended; 0 before the first. */
  readonly lastTool: number;
  /** The number of the last report that a dialog, a turn or a session began or ended; 0 before the first. */
  readonly lastStep: number;
  /** The number of the last report that each tool ended. */
  readonly finishedTools: Readonly<Record<string, number>>;
  /** The number of the last report that the conversation was compacted; 0 before the first. */
  readonly lastCompaction: number;
}

export const NOTHING_REPORTED: Reported = {
  latest: null,
  conversationId: null,
  promptsInConversation: 0,
  accepted: [],
  at: null,
  lastTurn: null,
  lastTool: 0,
  lastStep: 0,
  finishedTools: {},
  lastCompaction: 0,
};

/** Only a prompt that waits for its acknowledgement is ever searched for, so a few are enough. */
const ACCEPTED_KEPT = 20;

/** Events count in the order in which they were recorded: a record that is read again repeats the older ones first. */
export function addReport(before: Reported, recorded: RecordedEvent): Reported {
  const { event, at, seq, name } = recorded;
  const known = { ...before, at: Math.max(before.at ?? 0, at) };
  const now = (activity: Activity): Reported => ({ ...known, latest: { activity, at, seq, event: name } });
  const report = (activity: Activity): Reported => ({ ...now(activity), lastStep: seq });
  switch (event.kind) {
    case 'session_started': {
      const conversationId = event.conversationId ?? known.conversationId;
      if (event.source === 'compact') return { ...known, conversationId, lastCompaction: seq };
      const fresh = event.source === 'clear' || event.source === 'startup';
      const activity: Activity = event.source === 'clear' ? { kind: 'ready' } : { kind: 'starting' };
      return { ...report(activity), conversationId, promptsInConversation: fresh ? 0 : known.promptsInConversation + 1 };
    }
    case 'ready':
      // At a usage limit and after a failed turn the agent also stands at its prompt, and Claude Code reports that a minute later: what
      // stopped it is the better evidence.
      return stopped(known.latest?.activity) ? known : report({ kind: 'ready' });
    case 'prompt_accepted':
      return {
        ...report({ kind: 'processing' }),
        promptsInConversation: known.promptsInConversation + 1,
        accepted: [...known.accepted, { seq, at, text: event.text, id: event.id }].slice(-ACCEPTED_KEPT),
      };
    case 'tool_started':
      return { ...now({ kind: 'processing' }), lastTool: seq };
    case 'tool_finished':
      return { ...now({ kind: 'processing' }), lastTool: seq, finishedTools: { ...known.finishedTools, [event.tool]: seq } };
    case 'dialog_closed':
      return report({ kind: 'processing' });
    case 'question_opened':
      return report({ ...event, kind: 'awaiting_question', questionType: 'multiple_choice' });
    case 'permission_opened':
      return report({ ...event, kind: 'awaiting_permission' });
    case 'turn_ended':
      if (event.backgroundTasks > 0) return report({ kind: 'processing', detail: 'background' });
      return { ...report({ kind: 'ready' }), lastTurn: { seq, at, message: event.message } };
    case 'turn_failed': {
      const { type, recoverable, message } = event;
      const activity: Activity =
        type === 'rate_limit'
          ? { kind: 'waiting_limit', resetsAt: event.resetsAt, continuesByItself: false }
          : { kind: 'error', type, recoverable, message };
      return { ...report(activity), lastTurn: { seq, at, message } };
    }
    case 'session_ended':
    case 'ignored':
      return known;
  }
}

const stopped = (activity: Activity | undefined): boolean => activity?.kind === 'waiting_limit' || activity?.kind === 'error';

/**
 * Whether the agent has reported that it went on from a dialog. A tool that runs beside the dialog also begins and ends: only the end of
 * the tool that the dialog is for shows that it was answered.
 */
export function hasGoneOn(before: Reported, after: Reported, dialog: Dialog): boolean {
  if (after.lastStep !== before.lastStep) return true;
  if (dialog.kind !== 'awaiting_permission') return false;
  return after.finishedTools[dialog.tool] !== before.finishedTools[dialog.tool];
}
