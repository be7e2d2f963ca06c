import type { Agent, ScreenReading } from '../../agents/agent.ts';
import type { AgentEvent } from '../../agents/events.ts';
import type { Clock } from '../../base/ports.ts';
import { readSpool } from '../../store/spool.ts';
import { namesIn, readTextIfThere } from '../../system/files/files.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import type { Pane } from '../../terminal/panes.ts';
import type { Screen } from '../../terminal/screen.ts';
import type { CanaryStage } from './stage.ts';

export interface CanaryCapture {
  readonly pane: Pane | undefined;
  readonly screen: Screen;
  readonly reading: ScreenReading;
}

/** Collects llmc's evidence about the agent on the stage: screen, hooks, status file, transcript. */
export class Witness {
  readonly #agent: Agent;
  readonly #stage: CanaryStage;
  readonly #clock: Clock;

  constructor(agent: Agent, stage: CanaryStage, clock: Clock) {
    this.#agent = agent;
    this.#stage = stage;
    this.#clock = clock;
  }

  async capture(): Promise<CanaryCapture> {
    const { terminal, session } = this.#stage;
    const pane = (await terminal.panes())?.find((each) => each.session === session);
    const captured = (await terminal.capture([session])).get(session) ?? { lines: [], width: 0, height: 0 };
    const screen = pane === undefined ? captured : { ...captured, title: pane.title };
    return { pane, screen, reading: this.#agent.classify(screen, this.#clock.now()) };
  }

  /** The reports of its hooks so far, with the names of the hooks. */
  reports(): readonly { readonly name: string; readonly event: AgentEvent }[] {
    const { spool, worker } = this.#stage.request;
    return readSpool(systemFiles, spool, worker).read.flatMap(({ event }) =>
      event === undefined ? [] : [{ name: event.name, event: this.#agent.translate(event) }],
    );
  }

  /** The activity in its status file; undefined while there is none. */
  async statusFile(): Promise<string | undefined> {
    const { pane } = await this.capture();
    if (pane === undefined || pane.dead) return undefined;
    const text = readTextIfThere(this.#agent.statusFile?.path(this.#stage.env, pane.pid) ?? '');
    return text === undefined ? undefined : this.#agent.statusFile?.read(text)?.activity.kind;
  }

  /** The prompts in the CLI's transcript. */
  transcript(): readonly string[] {
    const { worktree } = this.#stage.request;
    const path = this.#agent.transcript?.path(this.#stage.env, worktree, this.#conversationId(), namesIn) ?? '';
    return this.#agent.transcript?.prompts(readTextIfThere(path) ?? '').map(({ text }) => text) ?? [];
  }

  /** A CLI that does not let llmc choose the id reports its own. */
  #conversationId(): string {
    const started = this.reports().flatMap(({ event }) => (event.kind === 'session_started' ? [event.conversationId] : []));
    return started.at(-1) ?? this.#stage.request.conversation.id;
  }

  /** Describes the screen, for a failed check. */
  async describe(): Promise<string> {
    const { pane, screen, reading } = await this.capture();
    return (
      describeAgentEnd(pane, screen) ??
      `llmc classified the screen as ${reading.activity.kind} (${reading.rule}), input box ${reading.box.kind}; ${lastLinesText(screen)}`
    );
  }
}

/** undefined while the process runs. */
export function describeAgentEnd(pane: Pane | undefined, screen: Screen): string | undefined {
  if (pane === undefined) return 'its terminal is gone';
  return pane.dead ? `its process ended (${howItEnded(pane)}); ${lastLinesText(screen)}` : undefined;
}

export function howItEnded({ deadStatus, deadSignal }: Pane): string {
  if (deadSignal !== null) return `signal ${deadSignal}`;
  return deadStatus === null ? 'status unknown' : `status ${deadStatus}`;
}

/** tmux writes it below what a program left on the screen. */
const DEAD_PANE = /^Pane is dead/;

export function lastLinesText({ lines }: Screen): string {
  const words = lines
    .map((line) => line.trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && !DEAD_PANE.test(line))
    .slice(-3);
  return words.length === 0 ? 'the screen was empty' : `its last lines: ${words.join(' / ')}`;
}
