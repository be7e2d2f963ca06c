import type { Instant } from '../../base/ports.ts';
import type { Activity } from '../activity.ts';
import type { LaunchRequest } from '../launch.ts';
import type { Dialogue, Heard, HeardEvent, PromptFate } from '../protocol.ts';
import { readAsked } from './asking.ts';
import { Calls, reply, tell } from './calls.ts';
import { activityOf, type Doing, NOTHING_KNOWN } from './doing.ts';
import { afterFailure } from './errors.ts';
import {
  type Item,
  type Message,
  notifications,
  opened,
  rateLimitsUpdated,
  readMessage,
  type Turn,
  turnStarted,
  turnsListed,
} from './messages.ts';
import { threadSettings } from './settings.ts';
import { itemCompleted, itemStarted, turnEnd, turnRecorded } from './turn-events.ts';

type Source = 'startup' | 'resume' | 'clear';
type About =
  | { readonly kind: 'introduction' | 'record' | 'whatever' }
  | { readonly kind: 'opening'; readonly source: Source }
  | { readonly kind: 'look'; readonly refusal: string }
  | { readonly kind: 'resumed'; readonly thread: Opened }
  | { readonly kind: 'prompt'; readonly id: string };
type Opened = NonNullable<(typeof opened)['_output']>['thread'];

const NONE: Heard = { send: [], events: [] };

/** Turns of a conversation that are read back: enough for every prompt that may still be on its way. */
const TURNS_READ = 20;

const UNREADABLE = 'Codex answered in a way this version of llmc cannot read';

/** One connection to a Codex app-server, measured with 0.166.0. */
export class CodexDialogue implements Dialogue {
  readonly #request: LaunchRequest;
  readonly #calls = new Calls<About>();
  readonly #fates = new Map<string, PromptFate>();
  readonly #files = new Map<string, string>();
  #conversationId: string | null = null;
  /** The conversation this one replaces. */
  #previous: string | null = null;
  #problem: string | undefined;
  #doing: Doing = NOTHING_KNOWN;
  #live: Activity | undefined;
  #turnId: string | undefined;
  #limitEnds: Instant | null = null;
  #timesRead = 0;
  /** The last record did not prove anything: it is read again when the turn is over. */
  #unproven = false;
  /** What came between a conversation taken up and its record: older facts go first. */
  #held: Message[] | undefined;

  constructor(request: LaunchRequest) {
    this.#request = request;
  }

  get conversationId(): string | null {
    return this.#conversationId;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  get live(): Activity | undefined {
    return this.#live;
  }

  get timesRead(): number {
    return this.#timesRead;
  }

  hello(): readonly string[] {
    const clientInfo = { name: 'llmc', title: 'llmc', version: '1' };
    return [this.#calls.ask('initialize', { clientInfo }, { kind: 'introduction' })];
  }

  hear(text: string, now: Instant): Heard {
    const message = readMessage(text);
    if (message === undefined) return NONE;
    const heard = this.#take(message, now);
    this.#settle();
    return heard;
  }

  prompt(id: string, text: string): string | undefined {
    if (this.#conversationId === null) return undefined;
    this.#fates.set(id, 'unknown');
    const input = [{ type: 'text', text, text_elements: [] }];
    return this.#calls.ask('turn/start', { threadId: this.#conversationId, clientUserMessageId: id, input }, { kind: 'prompt', id });
  }

  fateOf(promptId: string): PromptFate {
    return this.#fates.get(promptId) ?? 'unknown';
  }

  readAgain(): string | undefined {
    return this.#conversationId === null ? undefined : this.#readTurns(this.#conversationId, { kind: 'record' });
  }

  interrupt(): string | undefined {
    if (this.#conversationId === null || this.#turnId === undefined) return undefined;
    return this.#calls.ask('turn/interrupt', { threadId: this.#conversationId, turnId: this.#turnId }, { kind: 'whatever' });
  }

  answer(choice: string): string | undefined {
    const asked = this.#doing.asked[0];
    const result = asked?.answer(choice);
    return asked === undefined || result === undefined ? undefined : reply(asked.requestId, result);
  }

  startOver(): string | undefined {
    if (this.#conversationId === null) return undefined;
    this.#previous = this.#conversationId;
    this.#conversationId = null;
    return this.#start('clear');
  }

  #start(source: Exclude<Source, 'resume'>): string {
    return this.#calls.ask('thread/start', { ...threadSettings(this.#request), sessionStartSource: source }, { kind: 'opening', source });
  }

  #resume(): string {
    const params = { threadId: this.#request.conversation.id, excludeTurns: true, ...threadSettings(this.#request) };
    return this.#calls.ask('thread/resume', params, { kind: 'opening', source: 'resume' });
  }

  #readTurns(threadId: string, about: About): string {
    return this.#calls.ask('thread/turns/list', { threadId, limit: TURNS_READ, sortDirection: 'desc', itemsView: 'full' }, about);
  }

  #take(message: Message, now: Instant): Heard {
    const { id, method, params } = message;
    if (method === undefined) {
      const about = id === undefined ? undefined : this.#calls.take(id);
      return about === undefined ? NONE : this.#answered(about, message, now);
    }
    if (this.#held !== undefined) {
      this.#held.push(message);
      return NONE;
    }
    return id === undefined ? this.#told(method, params, now) : this.#askedFor(method, id, params);
  }

  #answered(about: About, { result, error }: Message, now: Instant): Heard {
    const refusal = error?.message;
    switch (about.kind) {
      case 'introduction':
        if (refusal !== undefined) return this.#fails(refusal);
        return {
          send: [tell('initialized'), this.#request.conversation.kind === 'fresh' ? this.#start('startup') : this.#resume()],
          events: [],
        };
      case 'opening':
        return refusal === undefined ? this.#openedAs(about.source, result) : this.#notOpened(about.source, refusal);
      case 'look': {
        // A first prompt on its way makes the conversation's record a moment after it made it active.
        const under = opened.safeParse(result).data?.thread.status.type === 'active';
        return under ? { send: [this.#resume()], events: [] } : this.#fails(about.refusal);
      }
      case 'resumed':
        return this.#takenUp(about.thread, refusal, result, now);
      case 'record':
        return this.#recordRead(refusal, result, now);
      case 'prompt':
        this.#fates.set(about.id, refusal === undefined ? 'accepted' : { refused: refusal });
        this.#turnId ??= turnStarted.safeParse(result).data?.turn.id;
        return NONE;
      case 'whatever':
        return NONE;
    }
  }

  #fails(problem: string): Heard {
    this.#problem = problem;
    return NONE;
  }

  #notOpened(source: Source, refusal: string): Heard {
    if (source === 'clear') this.#conversationId = this.#previous;
    if (source !== 'resume' || !/no rollout found/i.test(refusal)) return this.#fails(refusal);
    const look = this.#calls.ask('thread/read', { threadId: this.#request.conversation.id }, { kind: 'look', refusal });
    return { send: [look], events: [] };
  }

  #openedAs(source: Source, result: unknown): Heard {
    const thread = opened.safeParse(result).data?.thread;
    if (thread === undefined) return this.#fails(UNREADABLE);
    if (source === 'resume') {
      this.#held = [];
      return { send: [this.#readTurns(thread.id, { kind: 'resumed', thread })], events: [] };
    }
    const { id, status } = thread;
    this.#conversationId = id;
    this.#turnId = undefined;
    this.#doing = { ...NOTHING_KNOWN, status };
    const left = source === 'clear' && this.#previous !== null ? this.#previous : undefined;
    const send = left === undefined ? [] : [this.#calls.ask('thread/unsubscribe', { threadId: left }, { kind: 'whatever' })];
    return { send, events: [this.#begun(id, source), ready(id)] };
  }

  #begun(id: string, source: Source): HeardEvent {
    return { id: `${id}/opened`, name: `conversation opened (${source})`, event: { kind: 'session_started', conversationId: id, source } };
  }

  /** The record first, then what was heard since it was asked for. */
  #takenUp(thread: Opened, refusal: string | undefined, result: unknown, now: Instant): Heard {
    const held = this.#held ?? [];
    this.#held = undefined;
    if (refusal !== undefined) return this.#fails(refusal);
    const turns = turnsListed.safeParse(result).data?.data.toReversed();
    if (turns === undefined) return this.#fails(UNREADABLE);
    const { id, status } = thread;
    this.#conversationId = id;
    this.#doing = { ...NOTHING_KNOWN, status };
    const events = [this.#begun(id, 'resume'), ...this.#recorded(turns, now)];
    // Whether a question it had open was answered in the meantime, nobody tells: here it is at work, unless it is asked again.
    if (status.type === 'active')
      events.push({ id: `${id}/at-work/${now}`, name: 'conversation at work', event: { kind: 'dialog_closed' } });
    if (status.type === 'idle') events.push(ready(id));
    const later = held.map((message) => this.#take(message, now));
    return { send: later.flatMap(({ send }) => send), events: [...events, ...later.flatMap((heard) => heard.events)] };
  }

  #recordRead(refusal: string | undefined, result: unknown, now: Instant): Heard {
    // Before its first prompt a conversation has no record at all.
    const none = refusal !== undefined && /not materialized/.test(refusal);
    const turns = none ? [] : turnsListed.safeParse(result).data?.data.toReversed();
    return turns === undefined ? NONE : { send: [], events: this.#recorded(turns, now) };
  }

  /** A turn under way may be about to show a prompt it does not show yet: only without one does a record prove that a prompt is not in it. */
  #recorded(turns: readonly Turn[], now: Instant): HeardEvent[] {
    const running = turns.findLast(({ status }) => status === 'inProgress');
    const underWay = running !== undefined || this.#doing.status?.type === 'active' || this.#calls.some(({ kind }) => kind === 'prompt');
    this.#unproven = underWay;
    if (!underWay) this.#timesRead += 1;
    if (running !== undefined) this.#turnId = running.id;
    for (const { items } of turns) for (const item of items) this.#accepted(item);
    const last = turns.at(-1);
    if (last !== undefined) this.#turnOver(last, now);
    return turns.flatMap((turn) => turnRecorded(turn, now));
  }

  #accepted({ type, clientId }: Item): void {
    if (type === 'userMessage' && typeof clientId === 'string') this.#fates.set(clientId, 'accepted');
  }

  /** Hidden threads of Codex's own, such as the one that finds a title, and those of sub-agents are not this conversation. */
  #told(method: string, params: unknown, now: Instant): Heard {
    if (method === 'account/rateLimits/updated') return this.#limits(params);
    switch (method) {
      case 'thread/status/changed': {
        const told = this.#ours(notifications[method].safeParse(params).data);
        if (told !== undefined) this.#doing = { ...this.#doing, status: told.status };
        return NONE;
      }
      case 'thread/closed':
        return this.#ours(notifications[method].safeParse(params).data) === undefined ? NONE : this.#fails('Codex closed the conversation');
      case 'turn/started': {
        const told = this.#ours(notifications[method].safeParse(params).data);
        if (told === undefined) return NONE;
        this.#turnId = told.turn.id;
        this.#doing = { ...this.#doing, lastTurn: 'fine', detail: undefined };
        return NONE;
      }
      case 'turn/completed':
        return this.#completed(this.#ours(notifications[method].safeParse(params).data)?.turn, now);
      case 'item/started':
      case 'item/completed': {
        const told = this.#ours(notifications[method].safeParse(params).data);
        return told === undefined ? NONE : { send: [], events: this.#item(method, told.turnId, told.item) };
      }
      case 'error': {
        const told = this.#ours(notifications[method].safeParse(params).data);
        if (told?.willRetry === true) this.#doing = { ...this.#doing, detail: 'retrying' };
        return NONE;
      }
      case 'serverRequest/resolved':
        return this.#resolved(this.#ours(notifications[method].safeParse(params).data)?.requestId);
      default:
        return NONE;
    }
  }

  #ours<Told extends { readonly threadId: string }>(told: Told | undefined): Told | undefined {
    return told?.threadId === this.#conversationId ? told : undefined;
  }

  #item(stage: 'item/started' | 'item/completed', turnId: string, item: Item): readonly HeardEvent[] {
    this.#turnId = turnId;
    const detail = item.type === 'contextCompaction' && stage === 'item/started' ? 'compacting' : undefined;
    this.#doing = { ...this.#doing, detail };
    if (item.type === 'fileChange') this.#files.set(item.id, (item.changes ?? []).map(({ path }) => path).join(', '));
    if (stage === 'item/started') return itemStarted(turnId, item);
    this.#accepted(item);
    return itemCompleted(turnId, item);
  }

  #completed(turn: Turn | undefined, now: Instant): Heard {
    const end = turn && turnEnd(turn, now, this.#limitEnds);
    if (turn === undefined || end === undefined) return NONE;
    this.#turnId = undefined;
    this.#files.clear();
    // A turn that is interrupted ends before the word that its questions are settled: they were never answered.
    this.#doing = { ...this.#doing, asked: this.#doing.asked.filter(({ turnId }) => turnId !== turn.id), detail: undefined };
    this.#turnOver(turn, now);
    const again = this.#unproven ? this.readAgain() : undefined;
    return { send: again === undefined ? [] : [again], events: [end] };
  }

  #turnOver(turn: Turn, now: Instant): void {
    const event = turnEnd(turn, now, this.#limitEnds)?.event;
    const lastTurn = event?.kind === 'turn_failed' ? afterFailure(event) : turn.status === 'interrupted' ? 'interrupted' : 'fine';
    this.#doing = { ...this.#doing, lastTurn };
  }

  #askedFor(method: string, id: NonNullable<Message['id']>, params: unknown): Heard {
    const asked = readAsked(method, id, params, (itemId) => this.#files.get(itemId) ?? '');
    const isOurs = this.#ours(notifications['thread/closed'].safeParse(params).data) !== undefined;
    if (asked === undefined || !isOurs || this.#doing.asked.some(({ requestId }) => requestId === id)) return NONE;
    this.#doing = { ...this.#doing, asked: [...this.#doing.asked, asked] };
    return { send: [], events: [{ id: asked.id, name: method, event: asked.event }] };
  }

  /** Whoever answered: llmc or a person in the viewer. */
  #resolved(requestId: Message['id']): Heard {
    const settled = this.#doing.asked.find((asked) => asked.requestId === requestId);
    if (settled === undefined) return NONE;
    const left = this.#doing.asked.filter((asked) => asked !== settled);
    this.#doing = { ...this.#doing, asked: left };
    const next = left[0];
    const closed: HeardEvent = { id: `${settled.id}/closed`, name: 'serverRequest/resolved', event: { kind: 'dialog_closed' } };
    // Another one that was open behind it now has the word.
    return {
      send: [],
      events: next === undefined ? [closed] : [closed, { id: `${next.id}/next`, name: 'next question', event: next.event }],
    };
  }

  #limits(params: unknown): Heard {
    const limits = rateLimitsUpdated.safeParse(params).data?.rateLimits;
    const ends = [limits?.primary, limits?.secondary].flatMap((one) => (one && one.usedPercent >= 100 ? (one.resetsAt ?? []) : []));
    this.#limitEnds = ends.length === 0 ? null : Math.max(...ends) * 1_000;
    return NONE;
  }

  /** The same object for the same thing: a dialog that follows another is another, even when it reads alike. */
  #settle(): void {
    const next = activityOf(this.#doing);
    const isDialog = next !== undefined && this.#doing.asked[0]?.activity === next;
    if (isDialog || JSON.stringify(next) !== JSON.stringify(this.#live)) this.#live = next;
  }
}

function ready(id: string): HeardEvent {
  return { id: `${id}/ready`, name: 'conversation ready', event: { kind: 'ready' } };
}
