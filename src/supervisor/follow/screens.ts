import type { Instant } from '../../base/ports.ts';
import type { WorkContext } from '../../workers/context.ts';
import type { Fleet } from '../observe/fleet.ts';

/** What a person would see in the session of an agent. */
export interface ShownScreen {
  /** With the sequences of their colours, and whatever else the agent wrote: hostile. */
  readonly lines: readonly string[];
  /** On the protocol channel llmc shows a viewer of the conversation; the agent itself has no screen. */
  readonly of: 'agent' | 'viewer';
}

export type ScreenEvent = { readonly screen: ShownScreen } | { readonly noScreen: string };

interface ScreenOutlet {
  push(event: ScreenEvent): void;
  isFull(): boolean;
  onDrain(listener: () => void): void;
}

interface Written {
  readonly pane: string;
  readonly wroteAt: number;
}

type ScreenContext = Pick<WorkContext, 'store' | 'terminal' | 'clock'>;

/** How often a screen is captured that changes. A capture takes a process (2.4 ms, tmux 3.3a), or a line of the control client. */
const EVERY_MS = 200;
/** After this many captures that show the same, the next one waits until the loop has observed that the agent wrote something. */
const QUIET_CAPTURES = 3;
/** The largest pane that config.toml allows, with a colour for every other character. */
const MOST_LINES = 500;
const LONGEST_LINE_CHARS = 10_000;

/** The live screens of workers, for those who watch one. Nobody watches: nothing is captured. */
export class Screens {
  readonly #context: ScreenContext;
  readonly #fleet: Pick<Fleet, 'watchOf'>;
  readonly #watchers = new Map<string, Set<() => void>>();

  constructor(context: ScreenContext, fleet: Pick<Fleet, 'watchOf'>) {
    this.#context = context;
    this.#fleet = fleet;
  }

  /** The loop has observed the worker, or it was changed. */
  note(worker: string): void {
    for (const wake of this.#watchers.get(worker) ?? []) wake();
  }

  /** Sends the screen whenever it has changed, until the signal. */
  async watch(worker: string, outlet: ScreenOutlet, signal: AbortSignal): Promise<void> {
    const { clock, store } = this.#context;
    store.worker(worker);
    let noted = Promise.withResolvers<void>();
    const wake = () => noted.resolve();
    const watchers = this.#watchers.get(worker) ?? new Set();
    this.#watchers.set(worker, watchers.add(wake));
    signal.addEventListener('abort', wake, { once: true });
    outlet.onDrain(wake);
    let sent: string | undefined;
    try {
      for (let same = 0; !signal.aborted; ) {
        const taken = { at: clock.now(), ...this.#written(worker) };
        const event = await this.#capture(worker);
        const text = JSON.stringify(event);
        const isNew = text !== sent && !outlet.isFull();
        if (isNew) {
          outlet.push(event);
          sent = text;
        }
        same = isNew ? 0 : same + 1;
        await clock.sleep(EVERY_MS, signal).catch(() => undefined);
        const mustWait = () => (text === sent ? same >= QUIET_CAPTURES && !this.#mayHaveChanged(worker, taken) : outlet.isFull());
        while (!signal.aborted && mustWait()) {
          noted = Promise.withResolvers();
          await noted.promise;
        }
      }
    } finally {
      watchers.delete(wake);
      if (watchers.size === 0) this.#watchers.delete(worker);
    }
  }

  /** What the loop has last observed of the worker's pane. */
  #written(worker: string): Written {
    const pane = this.#fleet.watchOf(worker)?.tmux.pane ?? 'gone';
    if (typeof pane === 'string') return { pane, wroteAt: 0 };
    return { pane: `${pane.id} ${pane.dead} ${pane.width} ${pane.height}`, wroteAt: pane.wroteAt };
  }

  /** tmux reports the time of the last write in whole seconds: within the second of the capture, the agent may have written after it. */
  #mayHaveChanged(worker: string, taken: Written & { readonly at: Instant }): boolean {
    const now = this.#written(worker);
    return now.pane !== taken.pane || now.wroteAt !== taken.wroteAt || now.wroteAt * 1_000 + 1_000 > taken.at;
  }

  async #capture(worker: string): Promise<ScreenEvent> {
    const { store, terminal } = this.#context;
    const record = Object.hasOwn(store.state.workers, worker) ? store.state.workers[worker] : undefined;
    if (record === undefined) return { noScreen: `there is no worker ${worker} any more` };
    const lines = await terminal.colors(record.session_id);
    if (lines === undefined) return { noScreen: `the agent of ${worker} is not running` };
    const cut = lines.slice(-MOST_LINES).map((line) => line.slice(0, LONGEST_LINE_CHARS));
    return { screen: { lines: cut, of: this.#fleet.watchOf(worker)?.protocol === undefined ? 'agent' : 'viewer' } };
  }
}
