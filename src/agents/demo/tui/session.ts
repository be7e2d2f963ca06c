import { Board } from './board.ts';
import { readSubmission } from './command.ts';
import type { Remembered } from './conversation.ts';
import type { Answer, Dialog } from './dialog.ts';
import { Memory } from './memory.ts';
import type { State } from './model.ts';
import type { SessionPorts } from './ports.ts';
import { type Effect, press } from './press.ts';
import type { Input } from './screen/keys.ts';
import { type Host, runPrompt } from './turn/prompt-turn.ts';

/** The signal for a key in transit, which cannot be interrupted. */
const NEVER = new AbortController().signal;

/** The prompt that the agent gives itself, as Claude Code 2.1 does. */
const CONTINUE = 'The usage limit has reset. Continue where you left off.';

/** Long enough to be observed. */
const COMPACTING_MS = 1_500;

/** One run of the agent: the pressed keys, the running turn and the queue. */
export class Session {
  private readonly ports: SessionPorts;
  private readonly memory: Memory;
  private readonly board: Board;
  private readonly host: Host;
  private running: AbortController | undefined;
  private leaving = false;

  constructor(ports: SessionPorts, id: string, past: Remembered | undefined) {
    this.ports = ports;
    this.memory = new Memory(ports.append, id, past);
    this.board = new Board(this.memory, ports.changed);
    const emit: Host['emit'] = (name, payload) => ports.quirks.emit({ name, payload: { session_id: this.memory.id, ...payload } });
    const { memory, board } = this;
    this.host = {
      ports,
      memory,
      board,
      emit,
      busy: (work) => this.busy(work),
      leave: (status, reason) => this.leave(status, reason),
      continueAt: (at) => void this.continueAt(at),
    };
  }

  get state(): State {
    return this.board.state;
  }

  begin(source: 'startup' | 'resume' | 'clear'): void {
    this.host.emit('session_start', { source });
  }

  ready(): void {
    this.host.emit('ready', {});
  }

  /** A dialog outside of a turn, such as the one at start-up. Undefined after Esc. */
  async askFirst(dialog: Dialog): Promise<Answer | undefined> {
    this.running = new AbortController();
    try {
      return await this.board.ask(dialog, this.running.signal);
    } catch {
      return undefined;
    } finally {
      this.running = undefined;
    }
  }

  input(given: Input): void {
    const { keyDelayMs } = this.ports.quirks;
    if (keyDelayMs === 0) this.take(given);
    else void this.ports.sleep(keyDelayMs, NEVER).then(() => this.take(given));
  }

  private take(given: Input): void {
    const { quirks, now } = this.ports;
    const enters = given.kind === 'key' && given.name === 'enter' && this.state.dialog === null && this.state.draft.cells.length > 0;
    if (enters && quirks.swallowsEnter()) return;
    const input: Input = given.kind === 'paste' ? { kind: 'paste', text: quirks.paste(given.text) } : given;
    const { state, effect } = press(this.state, input, now());
    this.board.set(state);
    if (effect !== undefined) this.perform(effect);
  }

  leave(status: number, reason: string): void {
    // Restoring a terminal that is gone throws another error, which would call this handler again and again.
    if (this.leaving) return;
    this.leaving = true;
    this.host.emit('session_end', { reason });
    this.running?.abort();
    this.ports.quirks.flush();
    this.ports.leave(status, this.memory.id);
  }

  private perform(effect: Effect): void {
    switch (effect.kind) {
      case 'submit':
        this.submit(effect.text);
        break;
      case 'answer':
        this.board.answer(effect.answer);
        break;
      case 'reject':
        this.running?.abort();
        break;
      case 'interrupt':
        if (!this.ports.quirks.ignoresInterrupt) this.running?.abort();
        break;
      case 'leave':
        this.leave(0, 'prompt_input_exit');
        break;
    }
  }

  private submit(text: string): void {
    const submission = readSubmission(text);
    if (submission.kind === 'exit') {
      this.leave(0, 'prompt_input_exit');
    } else if (this.state.busySince === null) {
      void this.work(text, false);
    } else {
      // Report the prompt as accepted now although it runs later, as real CLIs do.
      if (submission.kind === 'prompt') this.host.emit('prompt_submit', { prompt: text });
      this.board.set({ queue: [...this.state.queue, text] });
    }
  }

  private async continueAt(at: number): Promise<void> {
    this.board.set({ continuesAt: at });
    await this.ports.sleep(Math.max(0, at - this.ports.now()), NEVER);
    if (this.state.continuesAt === at) await this.work(CONTINUE, false);
  }

  private async work(text: string, queued: boolean): Promise<void> {
    this.board.set({ continuesAt: null });
    const submission = readSubmission(text);
    if (submission.kind === 'prompt') await runPrompt(this.host, text, queued);
    if (submission.kind === 'shell') await this.runShell(submission.command);
    if (submission.kind === 'clear') this.clear();
    if (submission.kind === 'compact') await this.compact();
    if (submission.kind === 'unknown') this.board.show({ kind: 'note', text: `Unknown command: ${submission.word}` });
    const [next, ...queue] = this.state.queue;
    if (next === undefined) return;
    this.board.set({ queue });
    await this.work(next, true);
  }

  private runShell(command: string): Promise<void> {
    return this.busy(async (signal) => {
      const showResult = this.board.tool(`! ${command}`);
      const { output } = await this.ports.run(['sh', '-c', command], signal);
      showResult(output.trimEnd());
    });
  }

  /** Reports nothing about the command itself, as Claude Code 2.1 does. */
  private compact(): Promise<void> {
    return this.busy(async (signal) => {
      await this.ports.sleep(COMPACTING_MS, signal);
      this.board.set({ entries: [] });
      this.board.show({ kind: 'note', text: 'The conversation is now a summary' });
    });
  }

  private clear(): void {
    this.host.emit('session_end', { reason: 'clear' });
    this.memory.startOver(this.ports.newId());
    this.board.set({ entries: [] });
    this.begin('clear');
    this.ready();
  }

  /** Shows an interrupt but reports no event, as Claude Code 2.1 does. */
  private async busy(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const running = new AbortController();
    this.running = running;
    this.board.set({ busySince: this.ports.now() });
    try {
      await work(running.signal);
    } catch (error) {
      if (!running.signal.aborted) throw error;
      this.board.show({ kind: 'interrupted' });
    } finally {
      this.running = undefined;
      this.board.set({ busySince: null, dialog: null });
    }
  }
}
