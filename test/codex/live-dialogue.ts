import type { Activity } from '../../src/agents/activity.ts';
import type { AgentEvent } from '../../src/agents/events.ts';
import type { Dialogue, ProtocolEvent } from '../../src/agents/protocol.ts';
import type { MessageSocket } from '../../src/base/ports.ts';
import { connectMessages } from '../../src/system/message-socket.ts';
import { until } from '../support/scratch-tmux.ts';

// Generous: the suite shares two cores with everything else that runs.
const DEADLINE_MS = 90_000;

/** One connection: what was said over it, and what the dialogue made of that. */
export class LiveDialogue {
  readonly dialogue: Dialogue;
  readonly words: string[] = [];
  readonly heard: ProtocolEvent[] = [];
  readonly #socket: MessageSocket;
  ended: string | undefined;

  constructor(path: string, dialogue: Dialogue) {
    this.dialogue = dialogue;
    this.#socket = connectMessages(path, {
      open: () => {
        for (const words of dialogue.hello()) this.#socket.send(words);
      },
      message: (text) => {
        this.words.push(text);
        const { send, events } = dialogue.receive(text, Date.now());
        this.heard.push(...events);
        for (const words of send) this.#socket.send(words);
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
    return this.heard.flatMap(({ event }) => (isKind(event, kind) ? [event] : []));
  }

  kinds(): readonly AgentEvent['kind'][] {
    return this.heard.map(({ event }) => event.kind);
  }

  say(words: string | undefined): void {
    if (words === undefined) throw new Error('the dialogue has nothing to say');
    this.#socket.send(words);
  }

  async until(what: string, holds: () => boolean): Promise<void> {
    await until(what, async () => holds(), DEADLINE_MS).catch((cause: unknown) => {
      throw new Error(`${what}; heard ${JSON.stringify(this.heard)}, live ${JSON.stringify(this.dialogue.live)}, ${this.words.at(-1)}`, {
        cause,
      });
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

  /** Hands a prompt over and waits for the end of its turn, however it ends. */
  async turn(id: string, text: string): Promise<void> {
    const before = this.heard.length;
    this.say(this.dialogue.prompt(id, text));
    await this.until(`the turn of ${id} to end`, () => this.heard.slice(before).some(({ id: event }) => event.endsWith('/ended')));
  }

  close(): void {
    this.#socket.close();
  }
}

function isKind<Kind extends AgentEvent['kind']>(event: AgentEvent, kind: Kind): event is Extract<AgentEvent, { kind: Kind }> {
  return event.kind === kind;
}
