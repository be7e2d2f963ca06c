import type { z } from 'zod';
import type { Instant } from '../../base/ports.ts';
import type { Activity } from '../activity.ts';
import type { LaunchRequest } from '../launch.ts';
import type { Dialogue, Heard, HeardEvent, PromptFate } from '../protocol.ts';
import { Calls, tell } from './calls.ts';
import { type Message, opened, readMessage, turnStarted, turnsListed } from './messages.ts';
import { threadSettings } from './settings.ts';
import { Thread } from './thread.ts';

type Source = 'startup' | 'resume' | 'clear';
type Opened = z.infer<typeof opened>['thread'];

/** What an answer will be about. */
type About =
  | { readonly kind: 'introduction' | 'record' | 'whatever' }
  | { readonly kind: 'opening'; readonly source: Source }
  | { readonly kind: 'look'; readonly refusal: string }
  | { readonly kind: 'taking-up'; readonly thread: Opened }
  | { readonly kind: 'prompt'; readonly id: string };

const NONE: Heard = { send: [], events: [] };

/** Turns of a conversation that are read back: enough for every prompt that may still be on its way. */
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
  #problem: string | undefined;
  #timesRead = 0;
  /** The last record proved nothing: it is read again when the turn is over. */
  #unproven = false;
  /** What came between a conversation taken up and its record: older facts go first. */
  #held: Message[] | undefined;

  constructor(request: LaunchRequest) {
    this.#request = request;
  }

  get conversationId(): string | null {
    return this.#thread?.id ?? null;
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

  hear(text: string, now: Instant): Heard {
    const message = readMessage(text);
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
    return this.#thread && this.#readTurns(this.#thread.id, { kind: 'record' });
  }

  interrupt(): string | undefined {
    const { id: threadId, turnId } = this.#thread ?? {};
    return turnId === undefined ? undefined : this.#calls.ask('turn/interrupt', { threadId, turnId }, { kind: 'whatever' });
  }

  answer(choice: string): string | undefined {
    return this.#thread?.answer(choice);
  }

  startOver(): string | undefined {
    if (this.#thread === undefined) return undefined;
    this.#previous = this.#thread;
    this.#thread = undefined;
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
    const events = id === undefined ? this.#thread?.told(method, params, now) : this.#thread?.asked(method, id, params);
    const again = this.#unproven && this.#thread?.isAtRest ? this.readAgain() : undefined;
    if (again !== undefined) this.#unproven = false;
    return { send: again === undefined ? [] : [again], events: events ?? [] };
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
        // A first prompt on its way makes the conversation active a moment before it makes its record.
        const isBegun = opened.safeParse(result).data?.thread.status.type === 'active';
        return isBegun ? { send: [this.#resume()], events: [] } : this.#fails(about.refusal);
      }
      case 'taking-up':
        return refusal === undefined ? this.#takenUp(about.thread, result, now) : this.#fails(refusal);
      case 'record':
        return { send: [], events: this.#recordRead(refusal, result, now) };
      case 'prompt':
        this.#fates.set(about.id, refusal === undefined ? 'accepted' : { refused: refusal });
        this.#thread?.began(turnStarted.safeParse(result).data?.turn.id);
        return NONE;
      case 'whatever':
        return NONE;
    }
  }

  #fails(problem: string): Heard {
    this.#held = undefined;
    this.#problem = problem;
    return NONE;
  }

  #notOpened(source: Source, refusal: string): Heard {
    if (source === 'clear') this.#thread = this.#previous;
    if (source !== 'resume' || !/no rollout found/i.test(refusal)) return this.#fails(refusal);
    const look = this.#calls.ask('thread/read', { threadId: this.#request.conversation.id }, { kind: 'look', refusal });
    return { send: [look], events: [] };
  }

  #openedAs(source: Source, result: unknown): Heard {
    const thread = opened.safeParse(result).data?.thread;
    if (thread === undefined) return this.#fails(UNREADABLE);
    if (source === 'resume') {
      this.#held = [];
      return { send: [this.#readTurns(thread.id, { kind: 'taking-up', thread })], events: [] };
    }
    this.#thread = new Thread(thread.id, thread.status);
    const left = source === 'clear' ? this.#previous : undefined;
    const send = left === undefined ? [] : [this.#calls.ask('thread/unsubscribe', { threadId: left.id }, { kind: 'whatever' })];
    return { send, events: [begun(thread.id, source), ready(thread.id)] };
  }

  /** The record first, then what was heard since it was asked for. */
  #takenUp({ id, status }: Opened, result: unknown, now: Instant): Heard {
    const turns = turnsListed.safeParse(result).data?.data.toReversed();
    if (turns === undefined) return this.#fails(UNREADABLE);
    this.#thread = new Thread(id, status);
    const events = [begun(id, 'resume'), ...this.#thread.recorded(turns, now)];
    this.#judge();
    // Whether a question it had open was answered in the meantime, nobody tells: here it is at work, unless it is asked again.
    if (status.type === 'active')
      events.push({ id: `${id}/at-work/${now}`, name: 'conversation at work', event: { kind: 'dialog_closed' } });
    if (status.type === 'idle') events.push(ready(id));
    const held = this.#held ?? [];
    this.#held = undefined;
    const later = held.map((message) => this.#take(message, now));
    return { send: later.flatMap(({ send }) => send), events: [...events, ...later.flatMap((heard) => heard.events)] };
  }

  #recordRead(refusal: string | undefined, result: unknown, now: Instant): readonly HeardEvent[] {
    // Before its first prompt a conversation has no record at all.
    const isEmpty = refusal !== undefined && /not materialized/.test(refusal);
    const turns = isEmpty ? [] : turnsListed.safeParse(result).data?.data.toReversed();
    const events = turns && this.#thread?.recorded(turns, now);
    if (events !== undefined) this.#judge();
    return events ?? [];
  }

  /** Only at rest, with no prompt unanswered, does a record prove that a prompt is not in it. */
  #judge(): void {
    const proves = this.#thread?.isAtRest === true && !this.#calls.some(({ kind }) => kind === 'prompt');
    this.#unproven = !proves;
    if (proves) this.#timesRead += 1;
  }
}

function begun(id: string, source: Source): HeardEvent {
  return { id: `${id}/opened`, name: `conversation opened (${source})`, event: { kind: 'session_started', conversationId: id, source } };
}

function ready(id: string): HeardEvent {
  return { id: `${id}/ready`, name: 'conversation ready', event: { kind: 'ready' } };
}
