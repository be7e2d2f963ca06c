import { decodeAfterPaste, decodeKeys, decodeRest, isOpenPaste } from '../../../tui/screen/decode-keys.ts';
import type { Pressed } from '../../../tui/screen/key.ts';
import type { Line, Size } from '../../../tui/screen/line.ts';
import { writeScreen } from '../../output.ts';
import { terminalSize } from '../../terminal-size.ts';
import { RowWriter } from './row-writer.ts';

/** The alternate screen without a cursor and without line wrapping; pasted text is marked. */
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[?2004h';
const LEAVE = '\u001b[?2026l\u001b[0m\u001b[?2004l\u001b[?7h\u001b[?25h\u001b[?1049l';
/** Clicks and the wheel, with coordinates of any size. */
const MOUSE_ON = '\u001b[?1000h\u001b[?1006h';
const MOUSE_OFF = '\u001b[?1006l\u001b[?1000l';

/** A terminal sends the rest of a sequence at once; over a slow connection it may come in a second packet. */
const ESCAPE_MS = 50;
/** A pasted text of which nothing came for this long is shown as far as it came: its end may be lost. */
const PASTE_QUIET_MS = 500;

const STATUSES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export interface TerminalListener {
  /** What came in one read. */
  pressed(read: readonly Pressed[]): void;
  resized(size: Size): void;
  /** The terminal is gone, its input has ended, or a signal ends the process, which then ends with this status. */
  closed(status?: number): void;
}

/** The terminal as the view uses it. Whatever way the process ends, the person gets the screen back as it was. */
export class ViewTerminal implements Disposable {
  readonly #listener: TerminalListener;
  readonly #writer: RowWriter;
  readonly #off: (() => void)[] = [];
  #decoder = new TextDecoder();
  #rest = '';
  #restTimer: NodeJS.Timeout | undefined;
  /** Nothing followed the rest for a while. */
  #isQuiet = false;
  #isEntered = false;
  #isLent = false;
  /** Nothing is written any more until the end: to a terminal that is gone, that would end the process at once. */
  #isEnding = false;
  #hasSignal = false;
  #mouse = true;

  constructor(listener: TerminalListener, color: boolean) {
    this.#listener = listener;
    this.#writer = new RowWriter(writeScreen, color);
    this.#listen();
    this.#enter();
  }

  get size(): Size {
    return terminalSize(process.stdout);
  }

  show(lines: readonly Line[]): void {
    if (this.#isEntered && !this.#isEnding) this.#writer.show(lines);
  }

  /** Off: the terminal itself selects text again. */
  setMouse(isOn: boolean): void {
    this.#mouse = isOn;
    if (this.#isEntered) writeScreen(isOn ? MOUSE_ON : MOUSE_OFF);
  }

  /** Gives the terminal to another program, such as an editor, and takes it back. */
  async lend<Result>(use: () => Promise<Result>): Promise<Result> {
    this.#isLent = true;
    this.#leave();
    try {
      return await use();
    } finally {
      this.#isLent = false;
      this.#enter();
      this.#listener.resized(this.size);
    }
  }

  /** Ctrl+Z: the shell has the terminal until `fg`. Does nothing where no shell waits, as in a window of its own. */
  stop(): void {
    this.#leave();
    this.#stopGroup();
    this.#enter();
    this.#listener.resized(this.size);
  }

  [Symbol.dispose](): void {
    for (const off of this.#off.splice(0)) off();
    clearTimeout(this.#restTimer);
    this.#leave();
  }

  readonly #onStop = (): void => {
    // A program that has the terminal restores it itself. The shell waits for this process, so that one has to stop too.
    if (this.#isLent) this.#stopGroup();
    else this.stop();
  };

  /** Stops the whole process group: a shell waits for its oldest process, which is the launcher if that started another Node. */
  #stopGroup(): void {
    process.off('SIGTSTP', this.#onStop);
    process.kill(0, 'SIGTSTP');
    process.on('SIGTSTP', this.#onStop);
  }

  #enter(): void {
    if (this.#isEntered || this.#isLent || this.#isEnding) return;
    this.#isEntered = true;
    process.stdin.setRawMode?.(true);
    process.stdin.resume();
    writeScreen(`${ENTER}${this.#mouse ? MOUSE_ON : ''}`);
    this.#writer.forget();
  }

  #leave(): void {
    if (!this.#isEntered) return;
    this.#isEntered = false;
    writeScreen(`${MOUSE_OFF}${LEAVE}`);
    // A terminal that is gone has no modes.
    try {
      process.stdin.setRawMode?.(false);
    } catch {}
    process.stdin.pause();
  }

  #listen(): void {
    const leave = () => this.#leave();
    const closed = (status?: number) => {
      this.#isEnding = true;
      this.#listener.closed(status);
    };
    this.#on(process.stdin, 'data', (chunk: Buffer) => this.#read(chunk));
    for (const event of ['end', 'close', 'error']) this.#on(process.stdin, event, () => closed());
    this.#on(process.stdout, 'resize', () => this.#resized());
    this.#on(process, 'exit', leave);
    // Before Node prints the error, which would otherwise vanish with the alternate screen.
    this.#on(process, 'uncaughtExceptionMonitor', leave);
    for (const [name, status] of Object.entries(STATUSES))
      this.#on(process, name, () => {
        // Ctrl+C in a program that has the terminal is meant for that program.
        if (name === 'SIGINT' && this.#isLent) return;
        // A second signal means: do not wait for the disk.
        if (this.#hasSignal) {
          leave();
          process.exit(status);
        }
        this.#hasSignal = true;
        closed(status);
      });
    process.on('SIGTSTP', this.#onStop);
    this.#off.push(() => process.off('SIGTSTP', this.#onStop));
    // After SIGSTOP, the shell may have used the terminal meanwhile.
    this.#on(process, 'SIGCONT', () => this.#again());
  }

  #on<Arguments extends readonly never[]>(emitter: NodeJS.EventEmitter, event: string, listener: (...args: Arguments) => void): void {
    const heard = (...args: Arguments): void => listener(...args);
    emitter.on(event, heard);
    this.#off.push(() => emitter.off(event, heard));
  }

  #again(): void {
    if (!this.#isEntered) return;
    this.#isEntered = false;
    this.#enter();
    this.#listener.resized(this.size);
  }

  #resized(): void {
    this.#writer.forget();
    this.#listener.resized(this.size);
  }

  #read(chunk: Buffer): void {
    // A question asked on the lent terminal reads the same input: its answer is not a key of the view.
    if (this.#isLent) return;
    clearTimeout(this.#restTimer);
    const text = this.#decoder.decode(chunk, { stream: true });
    const { pressed, rest } = this.#isQuiet && isOpenPaste(this.#rest) ? decodeAfterPaste(this.#rest, text) : decodeKeys(this.#rest + text);
    this.#rest = rest;
    this.#isQuiet = false;
    if (rest !== '') this.#restTimer = setTimeout(() => this.#endRest(), isOpenPaste(rest) ? PASTE_QUIET_MS : ESCAPE_MS);
    this.#listener.pressed(pressed);
  }

  #endRest(): void {
    const { pressed, rest } = decodeRest(this.#rest);
    this.#rest = rest;
    this.#isQuiet = true;
    this.#listener.pressed(pressed);
  }
}
