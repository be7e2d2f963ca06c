import { Channel } from '../../agents/channel.ts';
import type { AgentEvent } from '../../agents/events.ts';
import type { LaunchRequest } from '../../agents/launch.ts';
import type { HeardEvent, Protocol } from '../../agents/protocol.ts';
import type { Clock } from '../../base/ports.ts';
import { connectMessages } from '../../system/message-socket.ts';
import { agentPane, type Pane, viewerPane } from '../../terminal/panes.ts';
import type { Screen } from '../../terminal/screen.ts';
import type { Stage } from './stage.ts';
import { endOf, lastWords } from './witness.ts';

const NOTHING: Screen = { lines: [], width: 0, height: 0 };
/** The end of a connection is known a moment before the end of the process behind it. */
const AFTERMATH_MS = 500;

/** What llmc knows of an agent it speaks to: its own end of the connection, and the two windows of its session. */
export class Line implements Disposable {
  readonly #stage: Stage;
  readonly #protocol: Protocol;
  readonly #clock: Clock;
  #conversation: LaunchRequest['conversation'];
  #channel: Channel | undefined;
  #heard: HeardEvent[] = [];

  constructor(stage: Stage, protocol: Protocol, clock: Clock) {
    this.#stage = stage;
    this.#protocol = protocol;
    this.#clock = clock;
    // Its server chooses the id.
    this.#conversation = { kind: 'fresh', id: '' };
  }

  /** Tries once more where nobody took the connection; whether somebody has. */
  reach(): boolean {
    if (this.#channel?.openedAt !== undefined) return true;
    if (this.#channel === undefined || this.#channel.ended !== undefined) {
      const dialogue = this.#protocol.dialogue({ ...this.#stage.request, conversation: this.#conversation });
      this.#channel = new Channel(connectMessages, this.#stage.socket, dialogue, this.#clock, () => undefined);
    }
    return false;
  }

  get channel(): Channel | undefined {
    return this.#channel;
  }

  /** Hangs up; the next connection takes this conversation up. */
  leave(conversation: string): void {
    this[Symbol.dispose]();
    this.#conversation = { kind: 'resume', id: conversation };
    this.#channel = undefined;
    this.#heard = [];
  }

  /** The first event of this kind that was heard over this connection, and passes the test. */
  heard<Kind extends AgentEvent['kind']>(
    kind: Kind,
    test: (event: Extract<AgentEvent, { kind: Kind }>) => boolean = () => true,
  ): HeardEvent | undefined {
    this.#heard.push(...(this.#channel?.takeHeard() ?? []));
    return this.#heard.find(({ event }) => isKind(event, kind) && test(event));
  }

  get eventNames(): readonly string[] {
    return [...new Set(this.#heard.map(({ name }) => name))];
  }

  /** Why nothing more will be heard; undefined as long as something may. */
  async lost(): Promise<string | undefined> {
    if (this.#channel?.openedAt === undefined || this.#channel.ended === undefined) return undefined;
    await this.#clock.sleep(AFTERMATH_MS);
    return `the connection ended (${this.#channel.ended}); ${await this.describe()}`;
  }

  /** How its process ended; undefined while it runs. */
  async ended(): Promise<string | undefined> {
    const { pane, screen } = await this.#look(agentPane);
    return endOf(pane, screen);
  }

  async describe(): Promise<string> {
    const { pane, screen } = await this.#look(agentPane);
    return endOf(pane, screen) ?? `its process runs; ${lastWords(screen)}`;
  }

  async viewer(): Promise<{ readonly screen: Screen; readonly end: string | undefined }> {
    const { pane, screen } = await this.#look(viewerPane);
    return { screen, end: endOf(pane, screen) };
  }

  async #look(
    which: (panes: readonly Pane[], session: string) => Pane | undefined,
  ): Promise<{ readonly pane: Pane | undefined; readonly screen: Screen }> {
    const { terminal, session } = this.#stage;
    const pane = which((await terminal.panes()) ?? [], session);
    const seen = pane === undefined ? undefined : (await terminal.capture([pane.id])).get(pane.id);
    return { pane, screen: pane === undefined || seen === undefined ? NOTHING : { ...seen, title: pane.title } };
  }

  [Symbol.dispose](): void {
    this.#channel?.close();
  }
}

function isKind<Kind extends AgentEvent['kind']>(event: AgentEvent, kind: Kind): event is Extract<AgentEvent, { kind: Kind }> {
  return event.kind === kind;
}
