import type { Instant } from '../../../base/ports.ts';
import type { Activity } from '../../activity.ts';
import type { Given, ProtocolEvent } from '../../protocol.ts';
import { readAsked } from './asking.ts';
import { reply } from './calls.ts';
import { type ThreadState, toCodexActivity } from './doing.ts';
import { afterFailedTurn } from './errors.ts';
import { notifications, type RequestId, rateLimitsUpdated, type ThreadItem, type ThreadStatus, type ThreadTurn } from './messages.ts';
import { itemCompleted, itemStarted, turnEnd, turnRecorded } from './turn-events.ts';

type Notification = keyof typeof notifications;

/** One conversation as the server reports it: the activity of the agent, and its new events. */
export class Thread {
  readonly id: string;
  readonly #prompts = new Set<string>();
  readonly #files = new Map<string, string>();
  #doing: ThreadState;
  #live: Activity | undefined;
  #turnId: string | undefined;
  readonly #endedTurns = new Set<string>();
  #limitEnds: Instant | null = null;
  #closed = false;

  constructor(id: string, status: ThreadStatus) {
    this.id = id;
    this.#doing = { status, asked: [], lastTurn: 'fine', detail: undefined };
    this.#settle();
  }

  get live(): Activity | undefined {
    return this.#live;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** The turn under way. */
  get turnId(): string | undefined {
    return this.#turnId;
  }

  /** A turn under way may have a prompt that it does not show yet. */
  get isAtRest(): boolean {
    return this.#turnId === undefined && this.#doing.status.type !== 'active';
  }

  /** Whether the conversation holds a prompt with this id. */
  holds(promptId: string): boolean {
    return this.#prompts.has(promptId);
  }

  answer(choice: string): Given | undefined {
    const [asked, ...others] = this.#doing.asked;
    const given = asked?.answer(choice);
    if (asked === undefined || given === undefined) return undefined;
    if ('result' in given) return { send: reply(asked.requestId, given.result) };
    this.#doing = { ...this.#doing, asked: [given.next, ...others] };
    this.#settle();
    return 'next_question';
  }

  /** A prompt was accepted: llmc can interrupt its turn before the server reports the turn. */
  began(turnId: string | undefined): void {
    if (this.#turnId === undefined) this.#runs(turnId);
  }

  /** On a busy machine the answer to a prompt can arrive after the end of its turn: Codex 0.166.0 sends the two from different tasks. */
  #runs(turnId: string | undefined): void {
    if (turnId !== undefined && !this.#endedTurns.has(turnId)) this.#turnId = turnId;
  }

  /** The turns in the record, oldest first. */
  recorded(turns: readonly ThreadTurn[], now: Instant): readonly ProtocolEvent[] {
    for (const item of turns.flatMap(({ items }) => items)) this.#note(item);
    const last = turns.at(-1);
    if (last !== undefined) this.#turnOver(last, now);
    for (const turn of turns) if (turn.status !== 'inProgress') this.#endedTurns.add(turn.id);
    this.#turnId = turns.findLast(({ id }) => !this.#endedTurns.has(id))?.id;
    this.#settle();
    return turns.flatMap((turn) => turnRecorded(turn, now));
  }

  notified(method: string, params: unknown, now: Instant): readonly ProtocolEvent[] {
    if (method === 'account/rateLimits/updated') this.#limits(params);
    const events = isNotification(method) ? this.#onNotification(method, params, now) : [];
    this.#settle();
    return events;
  }

  /** A repeated request with the same id, as on a connection that resumes the conversation, is one question. */
  asked(method: string, requestId: RequestId, params: unknown): readonly ProtocolEvent[] {
    const asked = readAsked(method, requestId, params, (itemId) => this.#files.get(itemId) ?? '');
    const known = this.#doing.asked.some((other) => other.requestId === requestId);
    if (asked === undefined || asked.threadId !== this.id || known) return [];
    this.#doing = { ...this.#doing, asked: [...this.#doing.asked, asked] };
    this.#settle();
    return [{ id: asked.id, name: method, event: asked.event }];
  }

  #onNotification(method: Notification, params: unknown, now: Instant): readonly ProtocolEvent[] {
    switch (method) {
      case 'thread/status/changed': {
        const notice = this.#ours(notifications[method].safeParse(params).data);
        if (notice !== undefined) this.#doing = { ...this.#doing, status: notice.status };
        return [];
      }
      case 'thread/closed':
        this.#closed ||= this.#ours(notifications[method].safeParse(params).data) !== undefined;
        return [];
      case 'turn/started': {
        const notice = this.#ours(notifications[method].safeParse(params).data);
        if (notice === undefined) return [];
        this.#turnId = notice.turn.id;
        this.#doing = { ...this.#doing, lastTurn: 'fine', detail: undefined };
        return [];
      }
      case 'turn/completed':
        return this.#completed(this.#ours(notifications[method].safeParse(params).data)?.turn, now);
      case 'item/started':
      case 'item/completed': {
        const notice = this.#ours(notifications[method].safeParse(params).data);
        return notice === undefined ? [] : this.#item(method, notice.turnId, notice.item);
      }
      case 'error': {
        const notice = this.#ours(notifications[method].safeParse(params).data);
        if (notice?.willRetry === true) this.#doing = { ...this.#doing, detail: 'retrying' };
        return [];
      }
      case 'serverRequest/resolved':
        return this.#resolved(this.#ours(notifications[method].safeParse(params).data)?.requestId);
    }
  }

  /** Hidden threads of Codex itself, such as the one that finds a title, and those of sub-agents are not this conversation. */
  #ours<Of extends { readonly threadId: string }>(notice: Of | undefined): Of | undefined {
    return notice?.threadId === this.id ? notice : undefined;
  }

  #item(stage: 'item/started' | 'item/completed', turnId: string, item: ThreadItem): readonly ProtocolEvent[] {
    // A command that was left in the background ends after its turn (0.166.0): the agent does not work on it.
    if (this.#endedTurns.has(turnId) && item.type !== 'userMessage') return [];
    this.#runs(turnId);
    const detail = item.type === 'contextCompaction' && stage === 'item/started' ? 'compacting' : undefined;
    this.#doing = { ...this.#doing, detail };
    if (item.type === 'fileChange') this.#files.set(item.id, (item.changes ?? []).map(({ path }) => path).join(', '));
    if (stage === 'item/started') return itemStarted(turnId, item);
    this.#note(item);
    return itemCompleted(turnId, item);
  }

  #note({ type, clientId }: ThreadItem): void {
    if (type === 'userMessage' && typeof clientId === 'string') this.#prompts.add(clientId);
  }

  #completed(turn: ThreadTurn | undefined, now: Instant): readonly ProtocolEvent[] {
    const end = turn && turnEnd(turn, now, this.#limitEnds);
    if (turn === undefined || end === undefined) return [];
    this.#turnId = undefined;
    this.#endedTurns.add(turn.id);
    this.#files.clear();
    // An interrupted turn ends before the report that its questions are settled: they were never answered.
    this.#doing = { ...this.#doing, asked: this.#doing.asked.filter(({ turnId }) => turnId !== turn.id), detail: undefined };
    this.#turnOver(turn, now);
    return [end];
  }

  #turnOver(turn: ThreadTurn, now: Instant): void {
    const event = turnEnd(turn, now, this.#limitEnds)?.event;
    const lastTurn = event?.kind === 'turn_failed' ? afterFailedTurn(event) : turn.status === 'interrupted' ? 'interrupted' : 'fine';
    this.#doing = { ...this.#doing, lastTurn };
  }

  /** The request was answered, by llmc or by a person in the viewer. */
  #resolved(requestId: RequestId | undefined): readonly ProtocolEvent[] {
    const settled = this.#doing.asked.find((asked) => asked.requestId === requestId);
    if (settled === undefined) return [];
    const asked = this.#doing.asked.filter((other) => other !== settled);
    this.#doing = { ...this.#doing, asked };
    const closed: ProtocolEvent = { id: `${settled.id}/closed`, name: 'serverRequest/resolved', event: { kind: 'dialog_closed' } };
    // Another question that was open behind it is now the current one.
    return [closed, ...asked.slice(0, 1).map(({ id, event }) => ({ id: `${id}/next`, name: 'the next question', event }))];
  }

  #limits(params: unknown): void {
    const limits = rateLimitsUpdated.safeParse(params).data?.rateLimits;
    const ends = [limits?.primary, limits?.secondary].flatMap((one) => (one && one.usedPercent >= 100 ? (one.resetsAt ?? []) : []));
    this.#limitEnds = ends.length === 0 ? null : Math.max(...ends) * 1_000;
  }

  /** The same object for the same dialog; the next dialog is another object, even with the same text. */
  #settle(): void {
    const next = toCodexActivity(this.#doing);
    const isDialog = this.#doing.asked[0]?.activity === next;
    if (isDialog || JSON.stringify(next) !== JSON.stringify(this.#live)) this.#live = next;
  }
}

function isNotification(method: string): method is Notification {
  return Object.hasOwn(notifications, method);
}
