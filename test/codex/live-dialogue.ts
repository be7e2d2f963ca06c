import type { Activity } from '../../src/agents/activity.ts';
import type { AgentEvent } from '../../src/agents/events.ts';
import type { Dialogue, ProtocolEvent } from '../../src/agents/protocol.ts';
import type { MessageSocket } from '../../src/base/ports.ts';
import { connectMessages } from '../../src/system/message-socket.ts';
import { until } from '../support/scratch-tmux.ts';

// Generous: the suite shares two cores with other programs.
const DEADLINE_MS = 90_000;

/** One connection, with the messages it received and the events that the dialogue read from them. */
export class LiveDialogue {
  readonly dialogue: Dialogue;
  readonly messages: string[] = [];
  readonly allEvents: ProtocolEvent[] = [];
  readonly #socket: MessageSocket;
  ended: string | undefined;

  constructor(path: string, dialogue: Dialogue) {
    this.dialogue = dialogue;
    this.#socket = connectMessages(path, {
      open: () => {
        for (const message of dialogue.hello()) this.#socket.send(message);
      },
      message: (text) => {
        this.messages.push(text);
        const { send, events } = dialogue.receive(text, Date.now());
        this.allEvents.push(...events);
        for (const message of send) this.#socket.send(message);
      },
      end: (why) => {
        this.ended = why;
      },
    });
  }

  get id(): string {
    return this.dialogue.conversationId ?? '';
  }

  events<Kind extends AgentEvent['kind']>(kind: Kind): readonly Extract<AgentEvent, { kind: Kind }>[] {
    return this.allEvents.flatMap(({ event }) => (isKind(event, kind) ? [event] : []));
  }

  kinds(): readonly AgentEvent['kind'][] {
    return this.allEvents.map(({ event }) => event.kind);
  }

  send(message: string | undefined): void {
    if (message === undefined) throw new Error('the dialogue has nothing to send');
    this.#socket.send(message);
  }

  async until(what: string, holds: () => boolean): Promise<void> {
    await until(what, async () => holds(), DEADLINE_MS).catch((cause: unknown) => {
      throw new Error(
        `${what}; events ${JSON.stringify(this.allEvents)}, live ${JSON.stringify(this.dialogue.live)}, ${this.messages.at(-1)}`,
        {
          cause,
        },
      );
    });
  }

  async opens(): Promise<void> {
    await this.until('the conversation to open', () => this.dialogue.conversationId !== null);
  }

  async waitFor<Kind extends AgentEvent['kind']>(kind: Kind, count = 1): Promise<readonly Extract<AgentEvent, { kind: Kind }>[]> {
    await this.until(`${count} × ${kind}`, () => this.events(kind).length >= count);
    return this.events(kind);
  }

  async waitForLive<Kind extends Activity['kind']>(kind: Kind): Promise<Activity> {
    await this.until(`it to be ${kind}`, () => this.dialogue.live?.kind === kind);
    return this.dialogue.live ?? { kind: 'unknown' };
  }

  /** Sends a prompt and waits for the end of its turn, whatever the result. */
  async turn(id: string, text: string): Promise<void> {
    const before = this.allEvents.length;
    this.send(this.dialogue.prompt(id, text));
    await this.until(`the turn of ${id} to end`, () => this.allEvents.slice(before).some(({ id: event }) => event.endsWith('/ended')));
  }

  close(): void {
    this.#socket.close();
  }
}

function isKind<Kind extends AgentEvent['kind']>(event: AgentEvent, kind: Kind): event is Extract<AgentEvent, { kind: Kind }> {
  return event.kind === kind;
}
