import type { Activity, Assessment } from '../agents/activity.ts';
import type { InputBox, ScreenReading } from '../agents/agent.ts';
import type { AgentEvent } from '../agents/events.ts';
import type { Instant } from '../base/ports.ts';
import type { Delivery } from '../store/tables/deliveries.ts';
import type { RecordedEvent } from '../store/tables/events.ts';
import type { Pane } from '../terminal/panes.ts';
import type { DeliveryPolicy, DeliveryView } from './deliver/delivery-step.ts';
import type { Fleet } from './observe/fleet.ts';
import { newWatch, type TmuxWatch, type Watch } from './observe/watch.ts';

/** For tests: a value of each kind that the decisions read, with the test's changes. */

export const READY: Activity = { kind: 'ready' };
export const BUSY: Activity = { kind: 'processing' };
export const QUESTION: Activity = { kind: 'awaiting_question', questionType: 'yes_no', question: 'Go on?', choices: ['Yes', 'No'] };
export const PERMISSION: Extract<Activity, { kind: 'awaiting_permission' }> = {
  kind: 'awaiting_permission',
  tool: 'Bash',
  question: 'Run rm?',
  choices: ['Yes', 'No'],
};
export const LIMIT: Activity = { kind: 'waiting_limit', resetsAt: null, continuesByItself: false };
export const OVERLOADED: Activity = { kind: 'error', type: 'overloaded', recoverable: true, message: 'overloaded' };
export const LOGGED_OUT: Activity = { kind: 'error', type: 'auth', recoverable: false, message: 'not logged in' };
export const EXITED: Extract<Activity, { kind: 'exited' }> = { kind: 'exited', how: 'crash', status: 1, signal: null };

/** One of each kind. */
export const ACTIVITIES: readonly Activity[] = [
  READY,
  BUSY,
  QUESTION,
  PERMISSION,
  LIMIT,
  OVERLOADED,
  LOGGED_OUT,
  EXITED,
  { kind: 'starting' } as const,
  { kind: 'unknown' } as const,
];

export function aPane(changes: Partial<Pane> = {}): Pane {
  return {
    session: 'llmc-adam',
    window: 'sh',
    mark: 'agent',
    id: '%1',
    pid: 4711,
    dead: false,
    deadStatus: null,
    deadSignal: null,
    inMode: false,
    width: 200,
    height: 50,
    attached: false,
    wroteAt: 0,
    cursor: { x: 0, y: 0 },
    bells: 0,
    command: 'node',
    title: '',
    ...changes,
  };
}

export function aWatch(changes: Partial<Watch> & { readonly now?: Instant; readonly incarnation?: number } = {}): Watch {
  const { now = 0, incarnation = 1, name = 'adam', ...rest } = changes;
  return { ...newWatch(name, { incarnation, launchedAt: now, resumed: false }), ...rest };
}

export function aTmuxWatch(pane: TmuxWatch['pane'] = aPane(), changes: Partial<TmuxWatch> = {}): TmuxWatch {
  return { pane, at: 0, pid: undefined, ended: undefined, personTypedAt: undefined, bellAt: undefined, ...changes };
}

export function aReading(activity: Activity = READY, box: InputBox = { kind: 'empty' }): ScreenReading {
  return { activity, confidence: 0.9, rule: 'a sample', box };
}

export function anAssessment(activity: Activity = READY, changes: Partial<Assessment> = {}): Assessment {
  return { activity, source: 'hook', confidence: 0.95, rule: 'a sample', since: 0, ...changes };
}

export function aDelivery(changes: Partial<Delivery> = {}): Delivery {
  return {
    id: 'd-1',
    seq: 1,
    worker: 'adam',
    purpose: 'message',
    text: 'Fix the typo',
    sent_text: 'Fix the typo',
    changes: '[]',
    fresh_conversation: 0,
    state: 'queued',
    reason: null,
    attempt: 0,
    incarnation: null,
    after_event: null,

    told_ms: null,
    acked_event: null,
    ack_source: null,
    created_ms: 0,
    typed_ms: null,
    submitted_ms: null,
    acked_ms: null,
    done_ms: null,
    record_conversation: null,
    record_bytes: null,
    ...changes,
  };
}

export function anEvent(event: AgentEvent, seq: number, at = seq * 1_000): RecordedEvent {
  return { seq, worker: 'adam', incarnation: 1, name: event.kind, at, fate: 'applied', event };
}

/** A fleet with these watches, and nothing that acts on them. */
export function aFleet(changes: Partial<Fleet> = {}): Fleet {
  const nothing = () => undefined;
  return { watchOf: nothing, troubleOf: nothing, unwritable: undefined, wake: nothing, adopt: nothing, ...changes };
}

export const DELIVERY_POLICY: DeliveryPolicy = {
  ackTimeoutMs: 2_000,
  enterRetryCount: 3,
  enterRetryDelayMs: 200,
  maxAttempts: 3,
  personPauseMs: 4_000,
};

/** A ready agent with an empty box and no person at its pane. */
export function aDeliveryView(changes: Partial<DeliveryView> = {}): DeliveryView {
  return {
    assessment: anAssessment(READY),
    incarnation: 1,
    pane: { inMode: false, attached: false },
    screen: { reading: aReading(READY), since: 0 },
    ack: undefined,
    written: false,
    shown: false,
    tookAnother: false,
    personTypedAt: undefined,
    conversationUsed: false,
    leftover: false,
    clearTyped: false,
    worked: false,
    wipedAt: undefined,
    redraw: undefined,
    clearing: undefined,
    enters: undefined,
    ...changes,
  };
}
