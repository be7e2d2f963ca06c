import { Channel } from '../../agents/channel.ts';
import type { AgentEvent } from '../../agents/events.ts';
import type { LaunchRequest } from '../../agents/launch.ts';
import type { Protocol, ProtocolEvent } from '../../agents/protocol.ts';
import type { Clock } from '../../base/ports.ts';
import { connectMessages } from '../../system/message-socket.ts';
import { agentPane, type Pane, viewerPane } from '../../terminal/panes.ts';
import type { Screen } from '../../terminal/screen.ts';
import type { CanaryStage } from './stage.ts';
import { describeAgentEnd, lastLinesText } from './witness.ts';

const NOTHING: Screen = { lines: [], width: 0, height: 0 };
/** llmc learns of the end of a connection shortly before the end of its process. */
const AFTERMATH_MS = 500;

/** The canary's connection to an agent's server, and the two windows of the session. */
export class Connection implements Disposable {
  readonly #stage: CanaryStage;
  readonly #protocol: Protocol;
  readonly #clock: Clock;
  #conversation: LaunchRequest['conversation'];
  #channel: Channel | undefined;
  #received: ProtocolEvent[] = [];

  constructor(stage: CanaryStage, protocol: Protocol, clock: Clock) {
    this.#stage = stage;
    this.#protocol = protocol;
    this.#clock = clock;
    // The server chooses the id.
    this.#conversation = { kind: 'fresh', id: '' };
  }

  /** True when connected; otherwise starts another attempt. */
  connect(): boolean {
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

  /** Disconnects; the next attempt resumes this conversation. */
  leave(conversation: string): void {
    this[Symbol.dispose]();
    this.#conversation = { kind: 'resume', id: conversation };
    this.#channel = undefined;
    this.#received = [];
  }

  /** The first event of this kind that arrived over this connection and passes the test. */
  received<Kind extends AgentEvent['kind']>(
    kind: Kind,
    test: (event: Extract<AgentEvent, { kind: Kind }>) => boolean = () => true,
  ): ProtocolEvent | undefined {
    this.#received.push(...(this.#channel?.takeEvents() ?? []));
    return this.#received.find(({ event }) => isKind(event, kind) && test(event));
  }

  get eventNames(): readonly string[] {
    return [...new Set(this.#received.map(({ name }) => name))];
  }

  /** Why no more events will arrive; undefined while they may. */
  async lost(): Promise<string | undefined> {
    if (this.#channel?.openedAt === undefined || this.#channel.ended === undefined) return undefined;
    await this.#clock.sleep(AFTERMATH_MS);
    return `the connection ended (${this.#channel.ended}); ${await this.describe()}`;
  }

  /** How the server's process ended; undefined while it runs. */
  async ended(): Promise<string | undefined> {
    const { pane, screen } = await this.#capture(agentPane);
    return describeAgentEnd(pane, screen);
  }

  async describe(): Promise<string> {
    const { pane, screen } = await this.#capture(agentPane);
    return describeAgentEnd(pane, screen) ?? `its process runs; ${lastLinesText(screen)}`;
  }

  async viewer(): Promise<{ readonly screen: Screen; readonly end: string | undefined }> {
    const { pane, screen } = await this.#capture(viewerPane);
    return { screen, end: describeAgentEnd(pane, screen) };
  }

  async #capture(
    which: (panes: readonly Pane[], session: string) => Pane | undefined,
  ): Promise<{ readonly pane: Pane | undefined; readonly screen: Screen }> {
    const { terminal, session } = this.#stage;
    const pane = which((await terminal.panes()) ?? [], session);
    const captured = pane === undefined ? undefined : (await terminal.capture([pane.id])).get(pane.id);
    return { pane, screen: pane === undefined || captured === undefined ? NOTHING : { ...captured, title: pane.title } };
  }

  [Symbol.dispose](): void {
    this.#channel?.close();
  }
}

function isKind<Kind extends AgentEvent['kind']>(event: AgentEvent, kind: Kind): event is Extract<AgentEvent, { kind: Kind }> {
  return event.kind === kind;
}
