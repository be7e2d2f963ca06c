import type { Clock, LineProcess, StartLineProcess } from '../base/ports.ts';
import { type ControlReply, controlReader, quoteWord } from './control-reply.ts';
import { SENTINEL, tmux } from './tmux-commands.ts';

const ANSWER_PATIENCE_MS = 5_000;
const GREETING = 'llmc-is-listening';

/**
 * One lasting conversation with the tmux server (`tmux -C`): a question costs a line instead of a process
 * (0.035 ms against 2.4 ms for a capture, tmux 3.3a). It may die at any time; then every open question is
 * answered with undefined, which proves nothing, and the next one starts it again.
 */
export class ControlClient {
  readonly #socket: string;
  readonly #start: StartLineProcess;
  readonly #clock: Clock;
  #process: LineProcess | undefined;
  #waiting: ((reply: ControlReply | undefined) => void)[] = [];

  constructor(socket: string, start: StartLineProcess, clock: Clock) {
    this.#socket = socket;
    this.#start = start;
    this.#clock = clock;
  }

  /** Asks all of these at once; the answers come in order, undefined for those tmux did not give. */
  async ask(commands: readonly (readonly string[])[]): Promise<readonly (ControlReply | undefined)[]> {
    if (commands.length === 0) return [];
    const process = this.#running();
    // It may be gone before it was asked anything, for example because there is no server.
    if (this.#process !== process) return commands.map(() => undefined);
    const answers = commands.map(() => {
      const { promise, resolve } = Promise.withResolvers<ControlReply | undefined>();
      this.#waiting.push(resolve);
      return promise;
    });
    process.send(commands.map((words) => `${words.map(quoteWord).join(' ')}\n`).join(''));
    const patience = new AbortController();
    const late = this.#clock.sleep(ANSWER_PATIENCE_MS, patience.signal).then(
      () => this.stop(),
      () => undefined,
    );
    const replies = await Promise.all(answers);
    patience.abort();
    await late;
    return replies;
  }

  /** Also after a silence: whoever waits is told that there is no answer. */
  stop(): void {
    const process = this.#process;
    this.#process = undefined;
    this.#giveUp();
    process?.stop();
  }

  #running(): LineProcess {
    if (this.#process !== undefined) return this.#process;
    // The attach may be answered with a block of its own, or not (both seen with tmux 3.3a): what counts comes after our own first word.
    let greeted = false;
    const read = controlReader((reply) => {
      if (greeted) this.#waiting.shift()?.(reply);
      else greeted = reply.lines[0] === GREETING;
    });
    const process = this.#start(
      // -N (tmux 3.2): an attach would start a server when there is none, which ends at once and takes the one just being started with it.
      tmux(this.#socket, '-N', '-C', 'attach-session', '-f', 'no-output,ignore-size', '-t', `=${SENTINEL}`),
      (line) => {
        if (this.#process === process) read(line);
      },
      () => {
        if (this.#process !== process) return;
        this.#process = undefined;
        this.#giveUp();
      },
    );
    this.#process = process;
    process.send(`display-message -p ${GREETING}\n`);
    return process;
  }

  #giveUp(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve(undefined);
  }
}
