import type { Clock, ConnectMessages, Instant, MessageSocket } from '../base/ports.ts';
import type { Activity } from './activity.ts';
import type { Dialogue, Given, ProtocolEvent } from './protocol.ts';

/**
 * One connection to an agent's server. It keeps received events until the next pass takes them, and sends its own replies
 * at once. After it has ended it stays closed: the next connection is another channel, with its own dialogue.
 */
export class Channel {
  readonly dialogue: Dialogue;
  readonly #clock: Clock;
  readonly #socket: MessageSocket;
  #events: ProtocolEvent[] = [];
  #openedAt: Instant | undefined;
  #receivedAt: Instant | undefined;
  #ended: string | undefined;
  #live: { activity: Activity; since: Instant } | undefined;

  /** Calls `news` whenever a pass should read the channel. */
  constructor(connect: ConnectMessages, path: string, dialogue: Dialogue, clock: Clock, news: () => void) {
    this.dialogue = dialogue;
    this.#clock = clock;
    this.#socket = connect(path, {
      open: () => {
        this.#openedAt = clock.now();
        this.#send(dialogue.hello());
      },
      // Ignore the words of an answer in progress: they need no action, and hundreds arrive per second.
      message: (text) => {
        if (this.#receive(text)) news();
      },
      end: (why) => {
        this.#ended = why;
        news();
      },
    });
  }

  /** Why it ended; undefined while it is connected. */
  get ended(): string | undefined {
    return this.#ended;
  }

  /** When the last message arrived, as a sign of life. */
  get receivedAt(): Instant | undefined {
    return this.#receivedAt;
  }

  get openedAt(): Instant | undefined {
    return this.#openedAt;
  }

  /** The activity that the server reports, and since when. */
  get live(): { readonly activity: Activity; readonly since: Instant } | undefined {
    return this.#ended === undefined ? this.#live : undefined;
  }

  /** The events since the last call, in order. */
  takeEvents(): readonly ProtocolEvent[] {
    const taken = this.#events;
    this.#events = [];
    return taken;
  }

  /** Sends a message; false if there is none or the channel is not open. */
  say(words: string | undefined): boolean {
    if (words === undefined || this.#ended !== undefined || this.#openedAt === undefined) return false;
    this.#socket.send(words);
    return true;
  }

  /** Sends an answer of the dialogue, or shows its next question as the open one. */
  give(given: Given): void {
    if (given === 'next_question') this.#noteLive(this.#clock.now());
    else this.say(given.send);
  }

  close(): void {
    this.#ended ??= 'closed by llmc';
    this.#socket.close();
  }

  /** True if the message changed anything that a pass should read. */
  #receive(text: string): boolean {
    const now = this.#clock.now();
    const before = this.#known();
    this.#receivedAt = now;
    const { send, events } = this.dialogue.receive(text, now);
    // Not `push(...events)`: a long conversation has more events than a call takes arguments.
    this.#events = this.#events.concat(events);
    this.#send(send);
    this.#noteLive(now);
    return events.length > 0 || this.#known().some((each, index) => each !== before[index]);
  }

  #noteLive(now: Instant): void {
    const activity = this.dialogue.live;
    if (activity?.kind !== this.#live?.activity.kind) this.#live = activity && { activity, since: now };
    else if (activity !== undefined && this.#live !== undefined) this.#live = { activity, since: this.#live.since };
  }

  #known(): readonly unknown[] {
    const { live, problem, conversationId, timesRead } = this.dialogue;
    return [live, problem, conversationId, timesRead];
  }

  #send(messages: readonly string[]): void {
    for (const message of messages) this.#socket.send(message);
  }
}
