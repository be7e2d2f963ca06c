import type { Clock, ConnectMessages, Instant, MessageSocket } from '../base/ports.ts';
import type { Activity } from './activity.ts';
import type { Dialogue, ProtocolEvent } from './protocol.ts';

/**
 * One connection to an agent that is spoken to. What it hears is kept until the next pass takes it; its own answers go
 * out at once. It ends once and never comes back: the next connection is another channel, with a dialogue of its own.
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

  /** `news`: called whenever there is something to take note of. */
  constructor(connect: ConnectMessages, path: string, dialogue: Dialogue, clock: Clock, news: () => void) {
    this.dialogue = dialogue;
    this.#clock = clock;
    this.#socket = connect(path, {
      open: () => {
        this.#openedAt = clock.now();
        this.#send(dialogue.hello());
      },
      // A word of an answer that is being written is nothing to act upon, and there are hundreds in a second.
      message: (text) => {
        if (this.#receive(text)) news();
      },
      end: (why) => {
        this.#ended = why;
        news();
      },
    });
  }

  /** Why it ended; undefined while it lasts. */
  get ended(): string | undefined {
    return this.#ended;
  }

  /** When it was last heard of: a sign of life. */
  get receivedAt(): Instant | undefined {
    return this.#receivedAt;
  }

  get openedAt(): Instant | undefined {
    return this.#openedAt;
  }

  /** What the agent says it is doing, and since when it has said so. */
  get live(): { readonly activity: Activity; readonly since: Instant } | undefined {
    return this.#ended === undefined ? this.#live : undefined;
  }

  /** What was heard since the last call, in order. */
  takeEvents(): readonly ProtocolEvent[] {
    const heard = this.#events;
    this.#events = [];
    return heard;
  }

  /** False when there was nothing to say, or nobody to say it to. */
  say(words: string | undefined): boolean {
    if (words === undefined || this.#ended !== undefined || this.#openedAt === undefined) return false;
    this.#socket.send(words);
    return true;
  }

  close(): void {
    this.#ended ??= 'closed by llmc';
    this.#socket.close();
  }

  /** Whether there is anything new to take note of. */
  #receive(text: string): boolean {
    const now = this.#clock.now();
    const before = this.#known();
    this.#receivedAt = now;
    const { send, events } = this.dialogue.receive(text, now);
    this.#events.push(...events);
    this.#send(send);
    const activity = this.dialogue.live;
    if (activity?.kind !== this.#live?.activity.kind) this.#live = activity && { activity, since: now };
    else if (activity !== undefined && this.#live !== undefined) this.#live = { activity, since: this.#live.since };
    return events.length > 0 || this.#known().some((each, index) => each !== before[index]);
  }

  #known(): readonly unknown[] {
    const { live, problem, conversationId, timesRead } = this.dialogue;
    return [live, problem, conversationId, timesRead];
  }

  #send(messages: readonly string[]): void {
    for (const message of messages) this.#socket.send(message);
  }
}
