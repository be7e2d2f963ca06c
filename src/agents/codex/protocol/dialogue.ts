import type { z } from 'zod';
import type { Instant } from '../../../base/ports.ts';
import type { Activity } from '../../activity.ts';
import type { LaunchRequest } from '../../launch.ts';
import type { Dialogue, Given, PromptFate, ProtocolEvent, Received } from '../../protocol.ts';
import { threadSettings } from '../settings.ts';
import { Calls, notification } from './calls.ts';
import { opened, parseServerMessage, type ServerMessage, turnStarted, turnsListed } from './messages.ts';
import { type ConversationSource, TheirConversation, type WantedConversation } from './their-conversation.ts';
import { Thread } from './thread.ts';

type Opened = z.infer<typeof opened>['thread'];

/** The request that a response belongs to. */
type About =
  | { readonly kind: 'introduction' | 'ignored' }
  | { readonly kind: 'record'; readonly of: string }
  | { readonly kind: 'opening'; readonly source: 'startup' | 'clear' }
  | { readonly kind: 'resuming'; readonly wanted: WantedConversation }
  | { readonly kind: 'check_status'; readonly wanted: WantedConversation; readonly refusal: string }
  | { readonly kind: 'taking-up'; readonly wanted: WantedConversation; readonly thread: Opened }
  | { readonly kind: 'prompt'; readonly id: string };

const NONE: Received = { send: [], events: [] };

/** How many turns llmc reads again: enough for every undelivered prompt. */
const TURNS_READ = 20;

const UNREADABLE = 'Codex answered in a way this version of llmc cannot read';

/** One connection to a Codex app-server, measured with 0.166.0. */
export class CodexDialogue implements Dialogue {
  readonly #request: LaunchRequest;
  readonly #calls = new Calls<About>();
  readonly #fates = new Map<string, PromptFate>();
  #thread: Thread | undefined;
  /** The conversation that a new one is about to replace. */
  #previous: Thread | undefined;
  readonly #theirs = new TheirConversation();
  #problem: string | undefined;
  #hasLost = false;
  #timesRead = 0;
  /** The last read proved nothing, so llmc reads again when the turn is over. */
  #unproven = false;
  /** Events between the resume and the read of the conversation; llmc puts the older facts first. */
  #held: ServerMessage[] | undefined;

  constructor(request: LaunchRequest) {
    this.#request = request;
  }

  get conversationId(): string | null {
    return this.#thread?.id ?? null;
  }

  get hasLost(): boolean {
    return this.#hasLost;
  }

  get problem(): string | undefined {
    return this.#problem ?? (this.#thread?.isClosed ? 'Codex closed the conversation' : undefined);
  }

  get live(): Activity | undefined {
    return (this.#thread ?? this.#previous)?.live;
  }

  get timesRead(): number {
    return this.#timesRead;
  }

  hello(): readonly string[] {
    return [this.#calls.ask('initialize', { clientInfo: { name: 'llmc', title: 'llmc', version: '1' } }, { kind: 'introduction' })];
  }

  receive(text: string, now: Instant): Received {
    const message = parseServerMessage(text);
    return message === undefined ? NONE : this.#take(message, now);
  }

  prompt(id: string, text: string): string | undefined {
    if (this.#thread === undefined) return undefined;
    this.#fates.set(id, 'unknown');
    const input = [{ type: 'text', text, text_elements: [] }];
    return this.#calls.ask('turn/start', { threadId: this.#thread.id, clientUserMessageId: id, input }, { kind: 'prompt', id });
  }

  fateOf(promptId: string): PromptFate {
    return this.#thread?.holds(promptId) ? 'accepted' : (this.#fates.get(promptId) ?? 'unknown');
  }

  readAgain(): string | undefined {
    return this.#thread && this.#readTranscript(this.#thread.id);
  }

  interrupt(): string | undefined {
    const { id: threadId, turnId } = this.#thread ?? {};
    return turnId === undefined ? undefined : this.#calls.ask('turn/interrupt', { threadId, turnId }, { kind: 'ignored' });
  }

  answer(choice: string): Given | undefined {
    return this.#thread?.answer(choice);
  }

  startOver(): string | undefined {
    if (this.#thread === undefined) return undefined;
    this.#previous = this.#thread;
    this.#thread = undefined;
    return this.#start('clear');
  }

  #start(source: 'startup' | 'clear'): string {
    return this.#calls.ask('thread/start', { ...threadSettings(this.#request), sessionStartSource: source }, { kind: 'opening', source });
  }

  #resume(wanted: WantedConversation): string {
    const settings = wanted.by === 'llmc' ? threadSettings(this.#request) : {};
    return this.#calls.ask('thread/resume', { threadId: wanted.id, excludeTurns: true, ...settings }, { kind: 'resuming', wanted });
  }

  #readTranscript(threadId: string): string {
    return this.#readTurns(threadId, { kind: 'record', of: threadId });
  }

  #readTurns(threadId: string, about: About): string {
    return this.#calls.ask('thread/turns/list', { threadId, limit: TURNS_READ, sortDirection: 'desc', itemsView: 'full' }, about);
  }

  #take(message: ServerMessage, now: Instant): Received {
    const { id, method, params } = message;
    if (method === undefined) {
      const about = id === undefined ? undefined : this.#calls.take(id);
      return about === undefined ? NONE : this.#answered(about, message, now);
    }
    if (this.#held !== undefined) {
      this.#held.push(message);
      return NONE;
    }
    const events = id === undefined ? this.#thread?.notified(method, params, now) : this.#thread?.asked(method, id, params);
    this.#theirs.notice(method, params, this.#thread?.id);
    return { send: [...this.#proveNow(), ...this.#followPerson()], events: events ?? [] };
  }

  #proveNow(): readonly string[] {
    if (!this.#unproven || this.#thread?.isAtRest !== true) return [];
    this.#unproven = false;
    return [this.#readTranscript(this.#thread.id)];
  }

  /** Does not leave a running turn, or a prompt that is about to start one: then it follows when the turn is over. */
  #followPerson(): readonly string[] {
    if (!this.#isQuiet || this.#calls.some(isFollowing)) return [];
    const wanted = this.#theirs.take();
    return wanted === undefined ? [] : [this.#resume(wanted)];
  }

  get #isQuiet(): boolean {
    return this.#thread?.isAtRest === true && !this.#calls.some(({ kind }) => kind === 'prompt');
  }

  #answered(about: About, { result, error }: ServerMessage, now: Instant): Received {
    const refusal = error?.message;
    switch (about.kind) {
      case 'introduction':
        if (refusal !== undefined) return this.#fails(refusal);
        return { send: [notification('initialized'), this.#open()], events: [] };
      case 'opening':
        return refusal === undefined ? this.#openedAs(about.source, result) : this.#notOpened(about.source, refusal);
      case 'resuming':
        return refusal === undefined ? this.#resumed(about.wanted, result, now) : this.#notResumed(about.wanted, refusal, now);
      case 'check_status': {
        // A first prompt makes the conversation active shortly before Codex creates its transcript.
        const isBegun = opened.safeParse(result).data?.thread.status.type === 'active';
        if (isBegun) return { send: [this.#resume(about.wanted)], events: [] };
        this.#hasLost = about.wanted.by === 'llmc';
        return this.#notTakenUp(about.wanted, about.refusal, now);
      }
      case 'taking-up':
        return refusal === undefined
          ? this.#takenUp(about.wanted, about.thread, result, now)
          : this.#notTakenUp(about.wanted, refusal, now);
      case 'record':
        // Ignore a conversation that is over.
        return about.of === this.#thread?.id ? { send: [], events: this.#recordRead(refusal, result, now) } : NONE;
      case 'prompt':
        this.#fates.set(about.id, refusal === undefined ? 'accepted' : { refused: refusal });
        this.#thread?.began(turnStarted.safeParse(result).data?.turn.id);
        return NONE;
      case 'ignored':
        return NONE;
    }
  }

  #open(): string {
    const { kind, id } = this.#request.conversation;
    return kind === 'fresh' ? this.#start('startup') : this.#resume({ id, source: 'resume', by: 'llmc' });
  }

  #fails(problem: string): Received {
    this.#problem = problem;
    return NONE;
  }

  #openedAs(source: 'startup' | 'clear', result: unknown): Received {
    const thread = opened.safeParse(result).data?.thread;
    if (thread === undefined) return this.#notOpened(source, UNREADABLE);
    this.#thread = new Thread(thread.id, thread.status);
    this.#theirs.forget();
    return { send: this.#leave(this.#previous), events: [begun(thread.id, source), ready(thread.id)] };
  }

  #notOpened(source: 'startup' | 'clear', refusal: string): Received {
    if (source === 'clear') this.#thread = this.#previous;
    return this.#fails(refusal);
  }

  /** The server may then forget the conversation. */
  #leave(thread: Thread | undefined): readonly string[] {
    this.#previous = undefined;
    return thread === undefined ? [] : [this.#unsubscribe(thread.id)];
  }

  #unsubscribe(threadId: string): string {
    return this.#calls.ask('thread/unsubscribe', { threadId }, { kind: 'ignored' });
  }

  #resumed(wanted: WantedConversation, result: unknown, now: Instant): Received {
    const thread = opened.safeParse(result).data?.thread;
    if (thread === undefined) return this.#notTakenUp(wanted, UNREADABLE, now);
    this.#held = [];
    return { send: [this.#readTurns(thread.id, { kind: 'taking-up', wanted, thread })], events: [] };
  }

  #notResumed(wanted: WantedConversation, refusal: string, now: Instant): Received {
    if (!/no rollout found|rollout .*is empty/i.test(refusal)) return this.#notTakenUp(wanted, refusal, now);
    return { send: [this.#calls.ask('thread/read', { threadId: wanted.id }, { kind: 'check_status', wanted, refusal })], events: [] };
  }

  #notTakenUp({ by }: WantedConversation, refusal: string, now: Instant): Received {
    if (by === 'llmc') this.#fails(refusal);
    const held = this.#takeHeld(now);
    return { ...held, send: [...held.send, ...this.#followPerson()] };
  }

  /** The messages that waited for the record of a conversation. */
  #takeHeld(now: Instant): Received {
    const held = this.#held ?? [];
    this.#held = undefined;
    const later = held.map((message) => this.#take(message, now));
    return { send: later.flatMap(({ send }) => send), events: later.flatMap(({ events }) => events) };
  }

  /** First the events of the conversation, then those received since the request. */
  #takenUp(wanted: WantedConversation, { id, status }: Opened, result: unknown, now: Instant): Received {
    const turns = turnsListed.safeParse(result).data?.data.toReversed();
    if (turns === undefined) return this.#notTakenUp(wanted, UNREADABLE, now);
    // llmc has sent a prompt in the meantime, which stays in the old conversation.
    if (wanted.by === 'person' && !this.#isQuiet) return this.#postponed(id, now);
    this.#theirs.forget();
    const send = [...this.#leave(this.#thread)];
    this.#thread = new Thread(id, status);
    const events = [begun(id, wanted.source), ...this.#thread.recorded(turns, now)];
    this.#judge();
    // The server does not report whether an open question was answered in the meantime. While it waits (`waitingOnApproval`,
    // `waitingOnUserInput`) it asks again with the old id, which is not a new event, so do not close the question before.
    if (status.type === 'active' && status.activeFlags.length === 0)
      events.push({ id: `${id}/at-work/${now}`, name: 'conversation at work', event: { kind: 'dialog_closed' } });
    if (status.type === 'idle') events.push(ready(id));
    const later = this.#takeHeld(now);
    return { send: [...send, ...later.send], events: [...events, ...later.events] };
  }

  #postponed(id: string, now: Instant): Received {
    this.#theirs.postpone();
    const { send, events } = this.#takeHeld(now);
    return { send: [...send, this.#unsubscribe(id)], events };
  }

  #recordRead(refusal: string | undefined, result: unknown, now: Instant): readonly ProtocolEvent[] {
    // A conversation has no transcript before its first prompt.
    const isEmpty = refusal !== undefined && /not materialized/.test(refusal);
    const turns = isEmpty ? [] : turnsListed.safeParse(result).data?.data.toReversed();
    const events = turns && this.#thread?.recorded(turns, now);
    if (events !== undefined) this.#judge();
    return events ?? [];
  }

  /** The read proves the absence of a prompt only if no turn runs and no prompt is unanswered. */
  #judge(): void {
    this.#unproven = !this.#isQuiet;
    if (this.#isQuiet) this.#timesRead += 1;
  }
}

/** A request on the way into the conversation of a person. */
function isFollowing(about: About): boolean {
  return 'wanted' in about && about.wanted.by === 'person';
}

function begun(id: string, source: ConversationSource): ProtocolEvent {
  return { id: `${id}/opened`, name: `conversation opened (${source})`, event: { kind: 'session_started', conversationId: id, source } };
}

function ready(id: string): ProtocolEvent {
  return { id: `${id}/ready`, name: 'conversation ready', event: { kind: 'ready' } };
}
