import type { Activity } from '../../agents/activity.ts';
import type { Instant } from '../../base/ports.ts';
import type { RecordedEvent } from '../../store/events.ts';

/** What an agent's own reports add up to, within one incarnation. */
export interface Reported {
  /** What the agent last said it is doing; null before its first word. */
  readonly said: { readonly activity: Activity; readonly at: Instant; readonly seq: number; readonly event: string } | null;
  readonly conversationId: string | null;
  /** Prompts accepted since the conversation was last empty. */
  readonly promptsInConversation: number;
  /** `id`: llmc's own name for it, where the agent hands that back. */
  readonly accepted: readonly { readonly seq: number; readonly text: string; readonly id?: string | undefined }[];
  /** When the agent last reported anything; null before its first report. */
  readonly at: Instant | null;
  readonly lastTurn: { readonly seq: number; readonly at: Instant; readonly message: string } | null;
}

export const NOTHING_REPORTED: Reported = {
  said: null,
  conversationId: null,
  promptsInConversation: 0,
  accepted: [],
  at: null,
  lastTurn: null,
};

/** Only a prompt still waiting for its acknowledgement is ever looked up, so a few are enough. */
const ACCEPTED_KEPT = 20;

/** Events count in the order in which they were recorded: a record that is read again repeats the older ones first. */
export function addReport(before: Reported, recorded: RecordedEvent): Reported {
  const { event, at, seq, name } = recorded;
  const known = { ...before, at: Math.max(before.at ?? 0, at) };
  const says = (activity: Activity): Reported => ({ ...known, said: { activity, at, seq, event: name } });
  switch (event.kind) {
    case 'session_started': {
      const conversationId = event.conversationId ?? known.conversationId;
      if (event.source === 'compact') return { ...known, conversationId };
      const fresh = event.source === 'clear' || event.source === 'startup';
      const activity: Activity = event.source === 'clear' ? { kind: 'ready' } : { kind: 'starting' };
      return { ...says(activity), conversationId, promptsInConversation: fresh ? 0 : known.promptsInConversation + 1 };
    }
    case 'ready':
      // At a usage limit it stands at its prompt too, and Claude Code says so a minute later: what stopped it is the better word.
      return known.said?.activity.kind === 'waiting_limit' ? known : says({ kind: 'ready' });
    case 'prompt_accepted':
      return {
        ...says({ kind: 'processing' }),
        promptsInConversation: known.promptsInConversation + 1,
        accepted: [...known.accepted, { seq, text: event.text, id: event.id }].slice(-ACCEPTED_KEPT),
      };
    case 'tool_started':
    case 'tool_finished':
    case 'dialog_closed':
      return says({ kind: 'processing' });
    case 'question_opened':
      return says({ kind: 'awaiting_question', questionType: 'multiple_choice', question: event.question, choices: event.choices });
    case 'permission_opened':
      return says({ ...event, kind: 'awaiting_permission' });
    case 'turn_ended':
      if (event.backgroundTasks > 0) return says({ kind: 'processing', detail: 'background' });
      return { ...says({ kind: 'ready' }), lastTurn: { seq, at, message: event.message } };
    case 'turn_failed': {
      const { type, recoverable, message } = event;
      const activity: Activity =
        type === 'rate_limit'
          ? { kind: 'waiting_limit', resetsAt: event.resetsAt, continuesByItself: false }
          : { kind: 'error', type, recoverable, message };
      return { ...says(activity), lastTurn: { seq, at, message } };
    }
    case 'session_ended':
    case 'ignored':
      return known;
  }
}
