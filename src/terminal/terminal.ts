import type { Command } from '../base/command.ts';
import { LlmcError } from '../base/error.ts';
import type { Finished, Processes, Random, SystemPorts } from '../base/ports.ts';
import { findRefusal, refusalIn } from '../base/refusal.ts';
import { refusalHint, refusalText } from '../base/refusal-text.ts';
import { systemClock } from '../system/clock.ts';
import { systemFiles } from '../system/files/system-files.ts';
import { waitThenKill } from '../system/processes/ending.ts';
import { systemSignals } from '../system/processes/system-signals.ts';
import { systemRandom } from '../system/random.ts';
import { AgentPlaces } from './agent-places.ts';
import type { ControlClient } from './control-client.ts';
import type { ControlReply } from './control-reply.ts';
import { type Pane, parsePanes } from './panes.ts';
import type { Screen } from './screen.ts';
import { ScreenMemory } from './screen-memory.ts';
import { describeRefusal, serverIsGone, succeeded } from './tmux-answer.ts';
import * as commands from './tmux-commands.ts';
import { readOuterTmux, wayBack } from './way-back.ts';

/** A wedged tmux must not hang the supervisor. */
const TMUX_TIMEOUT_MS = 10_000;
/** How long a program may take to end after tmux sent SIGHUP, before llmc kills it. */
const CLOSING_MS = 1_000;

export interface Session {
  readonly name: string;
  readonly cwd: string;
  readonly size: commands.PaneSize;
  readonly argv: readonly string[];
  /** The name and mark of the first window, if it needs one. */
  readonly window?: string;
}

interface Capture {
  /** Undefined when tmux did not answer. */
  readonly panes: readonly Pane[] | undefined;
  readonly screens: ReadonlyMap<string, Screen>;
}

export interface TerminalOptions {
  readonly control?: ControlClient | undefined;
  /** A file that tmux writes to whenever the program of a pane ends. */
  readonly deaths?: string;
  readonly ports?: TerminalPorts;
}

type TerminalPorts = Pick<SystemPorts, 'clock' | 'signals' | 'random' | 'files'>;

const SYSTEM: TerminalPorts = { clock: systemClock, signals: systemSignals, random: systemRandom, files: systemFiles };

/** The tmux server of one root, on a private socket. */
export class Terminal {
  readonly #socket: string;
  readonly #processes: Processes;
  /** Saves a process per command in a supervisor. Whenever it does not answer, llmc starts a process instead. */
  readonly #control: ControlClient | undefined;
  readonly #ports: TerminalPorts;
  readonly #deaths: string | undefined;
  readonly #screens = new ScreenMemory();
  readonly #places = new AgentPlaces();
  #pastes = 0;
  #startingServer: Promise<void> | undefined;

  constructor(socket: string, processes: Processes, { control, deaths, ports = SYSTEM }: TerminalOptions = {}) {
    this.#socket = socket;
    this.#processes = processes;
    this.#control = control;
    this.#deaths = deaths;
    this.#ports = ports;
  }

  /** Starts the server once, although many workers start at the same time. */
  async ensureServer(): Promise<void> {
    this.#startingServer ??= this.#startServer().finally(() => {
      this.#startingServer = undefined;
    });
    await this.#startingServer;
  }

  async #startServer(): Promise<void> {
    if (await this.isUp()) return;
    await this.#must(commands.startServer(this.#socket, this.#deaths), 'cannot start the tmux server');
  }

  async isUp(): Promise<boolean> {
    return succeeded(await this.#run(commands.hasServer(this.#socket)));
  }

  /** Whether tmux reports that no server has the socket. A server that hangs is not gone. */
  async isGone(): Promise<boolean> {
    return serverIsGone(await this.#run(commands.hasServer(this.#socket)));
  }

  /** Every worker's pane; undefined when tmux did not answer, which proves nothing about the agents. */
  async panes(): Promise<readonly Pane[] | undefined> {
    return (await this.capturePanes([])).panes;
  }

  /** Every worker's pane and the screens of these sessions, in one tmux command. */
  async capturePanes(sessions: readonly string[]): Promise<Capture> {
    const { panes, screens } = await this.#listAndCapture(sessions);
    if (panes !== undefined) this.#places.note(panes);
    this.#screens.forgetAllBut(new Set(panes?.map((pane) => pane.session)));
    // tmux 3.3a often marks a pane dead without its status until another child of tmux ends (11 of 20 exits of a Node program), so start one.
    if (!panes?.some((pane) => pane.dead && pane.deadStatus === null && pane.deadSignal === null)) return { panes, screens };
    await this.#run(commands.reapChildren(this.#socket));
    return { panes: await this.#listPanes(), screens };
  }

  async #listAndCapture(sessions: readonly string[]): Promise<Capture> {
    if (this.#control !== undefined || sessions.length === 0)
      return { panes: await this.#listPanes(), screens: await this.capture(sessions) };
    const marker = newMarker(this.#ports.random);
    const finished = await this.#run(commands.listAndCapture(this.#socket, this.#places.ofAll(sessions), marker));
    const [list = '', ...parts] = finished.stdout.split(marker);
    // Without a marker tmux did not even list the panes.
    if (parts.length === 0) return { panes: serverIsGone(finished) ? [] : undefined, screens: new Map() };
    return { panes: workerPanes(list), screens: this.#screensIn(sessions, parts, finished) };
  }

  async #listPanes(): Promise<readonly Pane[] | undefined> {
    const [reply] = (await this.#ask([commands.LIST_PANES])) ?? [];
    if (reply?.ok) return workerPanes(reply.lines.join('\n'));
    const finished = await this.#run(commands.listPanes(this.#socket));
    if (succeeded(finished)) return workerPanes(finished.stdout);
    return serverIsGone(finished) ? [] : undefined;
  }

  /** Session → milliseconds since the epoch of the last key a person pressed there. */
  async keyPresses(): Promise<ReadonlyMap<string, number>> {
    const finished = await this.#run(commands.listClients(this.#socket));
    const latest = new Map<string, number>();
    for (const line of succeeded(finished) ? finished.stdout.split('\n').filter(Boolean) : []) {
      const [session = '', seconds = '0'] = commands.splitFields(line);
      latest.set(session, Math.max(latest.get(session) ?? 0, Number(seconds) * 1_000));
    }
    return latest;
  }

  /** The screens of these sessions, or of single panes (`%7`), without those that are gone. */
  async capture(sessions: readonly string[]): Promise<ReadonlyMap<string, Screen>> {
    const replies = (await this.#ask(this.#places.ofAll(sessions).map(commands.capturePane))) ?? [undefined];
    if (replies.includes(undefined)) return await this.#captureInOneCall(sessions);
    return new Map(
      sessions.flatMap((session, index) => {
        const reply = replies[index];
        return reply?.ok ? [[session, this.#screens.screenOf(session, `${reply.lines.join('\n')}\n`)] as const] : [];
      }),
    );
  }

  /** What a person would see in the session: lines with the sequences of their colours. Undefined when the session is gone. */
  async colors(session: string): Promise<readonly string[] | undefined> {
    const words = commands.captureColors(this.#places.of(session));
    const [reply] = (await this.#ask([words])) ?? [];
    if (reply !== undefined) return reply.ok ? reply.lines : undefined;
    const finished = await this.#run(commands.tmux(this.#socket, ...words));
    return succeeded(finished) ? finished.stdout.replace(/\n$/, '').split('\n') : undefined;
  }

  /** What a program left on its screen and so many lines above it, without tmux's own line about a dead pane. Undefined without a session. */
  async lastOutput(session: string, scrolled = 20): Promise<readonly string[] | undefined> {
    const finished = await this.#run(commands.captureWithHistory(this.#socket, this.#places.of(session), scrolled));
    if (!succeeded(finished)) return undefined;
    return finished.stdout.split('\n').filter((line) => !line.startsWith('Pane is dead'));
  }

  async #captureInOneCall(sessions: readonly string[]): Promise<ReadonlyMap<string, Screen>> {
    const screens = new Map<string, Screen>();
    for (let rest = [...sessions]; rest.length > 0; ) {
      const marker = newMarker(this.#ports.random);
      const finished = await this.#run(commands.captureAll(this.#socket, this.#places.ofAll(rest), marker));
      const parts = finished.stdout.split(marker).slice(1);
      for (const [session, screen] of this.#screensIn(rest, parts, finished)) screens.set(session, screen);
      if (succeeded(finished) || parts.length === 0) break;
      rest = rest.slice(parts.length);
    }
    return screens;
  }

  #screensIn(sessions: readonly string[], parts: readonly string[], finished: Finished): ReadonlyMap<string, Screen> {
    // tmux stops a sequence at the first command that fails, so the last part belongs to the session that is gone.
    const complete = succeeded(finished) ? parts : parts.slice(0, -1);
    return new Map(
      sessions.slice(0, complete.length).map((session, index) => {
        const part = complete[index] ?? '';
        return [session, this.#screens.screenOf(session, part.slice(part.indexOf('\n') + 1))];
      }),
    );
  }

  async open(session: Session): Promise<void> {
    await this.ensureServer();
    const { name, cwd, size, argv, window } = session;
    this.#places.forget(name);
    await this.#must(commands.newSession(this.#socket, name, cwd, size, argv, window), `cannot open the tmux session ${name}`);
  }

  /** Opens a window in an existing session, in front of the others. */
  async openWindow(session: string, window: commands.NewWindow): Promise<void> {
    await this.#must(commands.newWindow(this.#socket, session, window), `cannot open the window ${window.name} of ${session}`);
  }

  /** Replaces the program in the window of this pane; ends the one that ran there. */
  async replaceWindow(pane: string, window: commands.NewWindow): Promise<void> {
    await this.#must(commands.respawnWindow(this.#socket, pane, window), `cannot restart the window ${window.name}`);
  }

  /**
   * Pastes the whole text, bracketed, under a unique buffer name so that two workers' texts never mix. Pastes nothing if the program
   * has ended.
   */
  async paste(session: string, text: string): Promise<void> {
    this.#pastes += 1;
    const buffer = `llmc-${process.pid}-${this.#pastes}`;
    await this.#must(commands.loadBuffer(this.#socket, buffer, text), 'cannot pass the text to tmux');
    await this.#must(commands.pasteBuffer(this.#socket, this.#places.of(session), buffer), `cannot paste into ${session}`);
  }

  async keys(session: string, keys: readonly string[]): Promise<void> {
    await this.#must(commands.sendKeys(this.#socket, this.#places.of(session), keys), `cannot send keys to ${session}`);
  }

  /** The command a pane was started with; undefined when tmux did not answer. */
  async startedWith(pane: string): Promise<string | undefined> {
    const finished = await this.#run(commands.startCommand(this.#socket, pane));
    return succeeded(finished) ? finished.stdout : undefined;
  }

  /** Succeeds also if the pane is not in copy mode. */
  async leaveCopyMode(session: string): Promise<void> {
    await this.#run(commands.leaveCopyMode(this.#socket, this.#places.of(session)));
  }

  async resize(pane: string, size: commands.PaneSize): Promise<void> {
    await this.#run(commands.resize(this.#socket, pane, size));
  }

  async notify(text: string): Promise<void> {
    await this.#run(commands.displayMessage(this.#socket, text));
  }

  /** Ends a session and waits for its program, because the caller then saves or replaces files. Succeeds also if the session is gone. */
  async close(session: string): Promise<void> {
    const living = (await this.#listPanes())?.filter((pane) => pane.session === session && !pane.dead) ?? [];
    this.#places.forget(session);
    await this.#run(commands.killSession(this.#socket, session));
    await waitThenKill(
      this.#ports,
      // A signal to 0 would reach llmc's own group of processes.
      living.map(({ pid }) => pid).filter((pid) => pid > 1),
      CLOSING_MS,
      () => this.#run(commands.reapChildren(this.#socket)),
    );
  }

  /** Ends what this process keeps open, and leaves the sessions running. */
  leave(): void {
    this.#control?.stop();
  }

  async shutDown(): Promise<void> {
    this.#control?.stop();
    const server = Number((await this.#run(commands.serverPid(this.#socket))).stdout);
    await this.#run(commands.killServer(this.#socket));
    // A server waits for its control clients, and one that lost its supervisor may never read what the server sends (tmux 3.7c).
    if (server > 1) await waitThenKill(this.#ports, [server], CLOSING_MS, async () => undefined);
  }

  /** What a person types to end a session. */
  endCommand(session: string): Command {
    return commands.killSession(this.#socket, session);
  }

  attachCommand(session: string): Command {
    return commands.attachSession(this.#socket, session);
  }

  attachWithNote(session: string, note: string): Command {
    return commands.attachWithNote(this.#socket, session, note);
  }

  /** The keys that leave an attached session, in words, also in a tmux of the person. */
  async wayBack(isInTmux: boolean): Promise<string> {
    const [own, outer] = await Promise.all([
      this.#run(commands.prefixKey(this.#socket)),
      isInTmux ? this.#run(commands.outerKeys()) : undefined,
    ]);
    return wayBack(own.stdout.trim() || 'C-b', outer && readOuterTmux(outer.stdout));
  }

  /** A client stays connected after the socket is deleted. Without it, a process finds that nobody else can reach the server. */
  async #ask(asked: readonly (readonly string[])[]): Promise<readonly (ControlReply | undefined)[] | undefined> {
    if (this.#control !== undefined && !this.#ports.files.exists(this.#socket)) {
      this.#control.stop();
      return undefined;
    }
    return await this.#control?.ask(asked);
  }

  #run(command: Command): Promise<Finished> {
    return this.#processes.run(command, { timeoutMs: TMUX_TIMEOUT_MS });
  }

  async #must(command: Command, problem: string): Promise<void> {
    const finished = await this.#run(command);
    if (succeeded(finished)) return;
    if (finished.outcome.kind === 'not-started' && finished.outcome.missing) {
      throw new LlmcError('TMUX_NOT_FOUND', 'tmux is not installed', { hint: 'Install it, for example: apt-get install tmux' });
    }
    const cause = finished.outcome.kind === 'not-started' ? finished.outcome.cause : undefined;
    const refusal = findRefusal(cause ?? refusalIn(finished.stderr));
    const why = refusal === undefined ? (cause?.message ?? describeRefusal(finished)) : refusalText(refusal);
    throw new LlmcError('TMUX_SESSION_FAILED', `${problem}: ${why}`, {
      hint: refusal === undefined ? 'llmc doctor' : refusalHint(refusal),
      cause,
    });
  }
}

/** A line that no program prints by chance. */
function newMarker(random: Random): string {
  return `=====llmc-${random.next().toString(36).slice(2)}:`;
}

function workerPanes(output: string): readonly Pane[] {
  return parsePanes(output).filter((pane) => pane.session !== commands.SENTINEL);
}
