import { readSubmission } from './command.ts';
import { type OpenTurn, type Remembered, remember } from './conversation.ts';
import type { Answer, Dialog } from './dialog.ts';
import type { Fact } from './fact.ts';
import type { Input } from './keys.ts';
import { type Entry, FIRST_STATE, type State } from './model.ts';
import { chooseTurn, stepsOf } from './plan.ts';
import { press } from './press.ts';
import type { Quirks } from './quirks.ts';
import type { RunCommand } from './shell.ts';
import type { Scenario } from './step.ts';
import { asksToGoOn, taskOf } from './task.ts';
import { performTurn, type Stage, type TurnResult } from './turn.ts';

export interface SessionPorts {
  readonly cwd: string;
  readonly worker: string;
  readonly scenario: Scenario;
  readonly quirks: Quirks;
  readonly run: RunCommand;
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  newId(): string;
  append(id: string, fact: Fact): void;
  allows(tool: string): boolean;
  changed(): void;
  leave(status: number, id: string): void;
}

/** One life of the agent: what is on the screen, what is running, what is remembered. */
export class Session {
  state: State;
  private readonly ports: SessionPorts;
  private id: string;
  private past: Remembered;
  private written: boolean;
  private turn: AbortController | undefined;
  private answer: ((answer: Answer) => void) | undefined;

  constructor(ports: SessionPorts, id: string, past: Remembered | undefined) {
    this.ports = ports;
    this.id = id;
    this.written = past !== undefined;
    this.past = past ?? { entries: [], used: [], open: null };
    this.state = { ...FIRST_STATE, entries: this.past.entries };
  }

  begin(source: 'startup' | 'resume' | 'clear'): void {
    this.emit('session_start', { source });
  }

  ready(): void {
    this.emit('ready', {});
  }

  /** A dialog outside any turn, such as the one at start-up. Resolves with undefined when it is rejected. */
  askFirst(dialog: Dialog): Promise<Answer | undefined> {
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
    this.turn = new AbortController();
    this.turn.signal.addEventListener('abort', () => resolve(undefined));
    this.answer = resolve;
    this.set({ dialog });
    return promise.finally(() => {
      this.turn = undefined;
    });
  }

  input(input: Input): void {
    const { quirks } = this.ports;
    if (
      input.kind === 'key' &&
      input.name === 'enter' &&
      this.state.dialog === null &&
      this.state.draft.cells.length > 0 &&
      quirks.swallowsEnter()
    )
      return;
    const { state, effect } = press(
      this.state,
      input.kind === 'paste' ? { kind: 'paste', text: quirks.paste(input.text) } : input,
      this.ports.now(),
    );
    this.state = state;
    this.ports.changed();
    switch (effect?.kind) {
      case 'submit':
        return this.submit(effect.text);
      case 'answer':
        return this.answer?.(effect.answer);
      case 'reject':
        return this.turn?.abort();
      case 'interrupt':
        return quirks.ignoresInterrupt ? undefined : this.turn?.abort();
      case 'leave':
        return this.leave(0, 'prompt_input_exit');
      case undefined:
        return;
    }
  }

  leave(status: number, reason: string): void {
    this.emit('session_end', { reason });
    this.turn?.abort();
    this.ports.quirks.flush();
    this.ports.leave(status, this.id);
  }

  private submit(text: string): void {
    const submission = readSubmission(text);
    if (submission.kind === 'exit') return this.leave(0, 'prompt_input_exit');
    if (this.state.busySince !== null) {
      // Accepted now, run later: real CLIs report the prompt at this moment too.
      if (submission.kind === 'prompt') this.emit('prompt_submit', { prompt: text });
      return this.set({ queue: [...this.state.queue, text] });
    }
    void this.work(text, false);
  }

  private async work(text: string, queued: boolean): Promise<void> {
    const submission = readSubmission(text);
    switch (submission.kind) {
      case 'prompt':
        await this.runPrompt(text, queued);
        break;
      case 'shell':
        await this.busy(async (signal) => {
          const finish = this.tool(`! ${submission.command}`);
          finish((await this.ports.run(['sh', '-c', submission.command], signal)).output.trimEnd());
        });
        break;
      case 'clear':
        this.clear();
        break;
      case 'unknown':
        this.show({ kind: 'note', text: `Unknown command: ${submission.word}` });
        break;
      case 'exit':
        return this.leave(0, 'prompt_input_exit');
    }
    const [next, ...queue] = this.state.queue;
    if (next === undefined) return;
    this.set({ queue });
    await this.work(next, true);
  }

  private async runPrompt(prompt: string, queued: boolean): Promise<void> {
    const { scenario, quirks, worker } = this.ports;
    const unfinished = this.past.open;
    const goesOn = unfinished !== null && asksToGoOn(prompt);
    const turn = goesOn ? unfinished.turn : chooseTurn(scenario, this.past.used, prompt);
    const release = quirks.during(turn === null ? [] : (scenario.turns[turn]?.misbehave ?? []));
    this.show({ kind: 'prompt', text: prompt });
    if (!goesOn) this.note({ type: 'turn', turn, prompt, at: this.ports.now() });
    // Only now: a prompt that was reported as accepted must be there after a crash.
    if (!queued) this.emit('prompt_submit', { prompt });
    const open = this.past.open;
    if (open !== null) {
      const since = this.ports.now();
      await this.busy(async (signal) => {
        const result = await performTurn(stepsOf(scenario, open, worker), open, goesOn, this.stage(open, signal), signal);
        this.finish(result, this.ports.now() - since);
      });
    }
    release();
  }

  private finish(result: TurnResult, ms: number): void {
    this.note({ type: 'end' });
    if (result.kind === 'left') return this.leave(result.status, 'other');
    if (result.kind === 'failed') {
      const { type, message, resetsInMs } = result;
      this.show({ kind: 'failed', type, message });
      this.idle();
      return this.emit('stop_failure', { type, message, ...(resetsInMs !== null && { resets_at: this.ports.now() + resetsInMs }) });
    }
    this.show({ kind: 'finished', ms });
    this.idle();
    this.emit('stop', { message: result.message, queued: this.state.queue.length });
  }

  /** Runs something that Esc can stop. An interrupt is shown and nothing is reported, as in Claude Code 2.1. */
  private async busy(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const turn = new AbortController();
    this.turn = turn;
    this.set({ busySince: this.ports.now() });
    try {
      await work(turn.signal);
    } catch (error) {
      if (!turn.signal.aborted) throw error;
      this.show({ kind: 'interrupted' });
    } finally {
      this.turn = undefined;
      this.idle();
    }
  }

  private idle(): void {
    this.set({ busySince: null, dialog: null });
  }

  private stage(open: OpenTurn, signal: AbortSignal): Stage {
    const { ports } = this;
    return {
      cwd: ports.cwd,
      words: { worker: ports.worker, task: taskOf(open.prompt) },
      run: ports.run,
      say: (text) => this.show({ kind: 'said', text }),
      tool: (name, title) => {
        this.emit('tool_start', { tool: name });
        const finish = this.tool(title);
        return (output) => {
          finish(output);
          this.emit('tool_end', { tool: name });
        };
      },
      ask: (dialog, tool) => this.ask(dialog, tool, signal),
      allows: ports.allows,
      sleep: ports.sleep,
      misbehave: (what, within) => (what === 'as ordered' ? ports.quirks.inTurn(within) : ports.quirks.perform(what, within)),
      answered: (step, answer) => this.note({ type: 'answer', step, answer }),
      done: (steps) => this.note({ type: 'done', steps }),
    };
  }

  private ask(dialog: Dialog, tool: string | null, signal: AbortSignal): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.answer = (answer) => {
      this.emit('dialog_closed', {});
      resolve(answer);
    };
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    this.set({ dialog });
    const { question, choices } = dialog;
    this.emit(tool === null ? 'question' : 'permission', { ...(tool !== null && { tool }), question, choices });
    return promise;
  }

  private clear(): void {
    this.emit('session_end', { reason: 'clear' });
    this.id = this.ports.newId();
    this.written = false;
    this.past = { entries: [], used: this.past.used, open: null };
    this.set({ entries: [] });
    this.begin('clear');
    this.ready();
  }

  private tool(title: string): (output: string) => void {
    const running: Entry = { kind: 'tool', title, output: '' };
    this.set({ entries: [...this.state.entries, running] });
    return (output) => {
      const finished: Entry = { kind: 'tool', title, output };
      this.note({ type: 'entry', entry: finished });
      this.set({ entries: this.state.entries.map((entry) => (entry === running ? finished : entry)) });
    };
  }

  private show(entry: Entry): void {
    this.note({ type: 'entry', entry });
    this.set({ entries: [...this.state.entries, entry] });
  }

  private note(fact: Fact): void {
    // A conversation begins with its first prompt: before that there is nothing to resume.
    if (!this.written && fact.type === 'entry' && fact.entry.kind === 'prompt') {
      this.ports.append(this.id, { type: 'start', id: this.id, used: this.past.used });
      this.written = true;
    }
    if (this.written) this.ports.append(this.id, fact);
    this.past = remember(this.past, fact);
  }

  private set(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    this.ports.changed();
  }

  private emit(name: string, payload: Readonly<Record<string, unknown>>): void {
    this.ports.quirks.emit({ name, payload: { session_id: this.id, ...payload } });
  }
}
