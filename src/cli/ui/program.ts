import { randomUUID } from 'node:crypto';
import { systemClock } from '../../system/clock.ts';
import { draw } from '../../tui/draw/draw.ts';
import { hitAt } from '../../tui/draw/hit.ts';
import { readTogether } from '../../tui/model/burst.ts';
import type { Effect } from '../../tui/model/effect.ts';
import type { Event } from '../../tui/model/event.ts';
import { update } from '../../tui/model/update.ts';
import { emptyView, type View } from '../../tui/model/view.ts';
import type { Pressed } from '../../tui/screen/key.ts';
import type { Shell } from '../shell.ts';
import { DraftFeed } from './draft-feed.ts';
import { followRoot } from './live/follow-root.ts';
import { PaneFeed } from './pane-feed.ts';
import { performEffect } from './perform-effect.ts';
import { RunsFeed } from './runs-feed.ts';
import { ViewTerminal } from './terminal/view-terminal.ts';

/** Events that come faster are drawn together: no eye follows more. */
const FRAME_MS = 16;
const TICK_MS = 1_000;

/** The view while it is open: events go in, the screen is drawn, effects are performed. */
export class Program {
  readonly #shell: Shell;
  readonly #ended = Promise.withResolvers<void>();
  readonly #closing = new AbortController();
  readonly #terminal: ViewTerminal;
  readonly #drafts: DraftFeed;
  readonly #pane: PaneFeed;
  readonly #runs: RunsFeed;
  #view: View;
  #drawTimer: NodeJS.Timeout | undefined;
  #drawnAt = 0;

  constructor(shell: Shell) {
    this.#shell = shell;
    this.#terminal = new ViewTerminal(
      {
        pressed: (read) => {
          for (const pressed of readTogether(this.#view, read)) this.#pressed(pressed);
        },
        resized: (size) => this.dispatch({ kind: 'resized', size }),
        closed: () => this.#ended.resolve(),
      },
      shell.options.color,
    );
    this.#view = emptyView(this.#terminal.size, systemClock.now(), randomUUID());
    this.#drafts = new DraftFeed(shell, this.dispatch);
    this.#pane = new PaneFeed(shell, this.dispatch);
    this.#runs = new RunsFeed(shell, this.dispatch);
  }

  /** Resolves when the person leaves, with what was still under way. */
  async run(): Promise<readonly Effect[]> {
    using _ = this.#terminal;
    const tick = setInterval(() => this.dispatch({ kind: 'tick' }), TICK_MS);
    try {
      await Promise.race([this.#ended.promise, this.#follow()]);
    } finally {
      await this.#drafts.settled();
      clearInterval(tick);
      clearTimeout(this.#drawTimer);
      this.#pane.stop();
      this.#closing.abort();
    }
    return this.#view.running.map(({ effect }) => effect);
  }

  readonly dispatch = (event: Event): void => {
    if (this.#closing.signal.aborted) return;
    const { view, effects } = update(this.#view, event, systemClock.now());
    this.#view = view;
    for (const effect of effects) this.#perform(effect);
    this.#pane.want(view);
    this.#drawSoon();
  };

  #pressed(pressed: Pressed): void {
    if (pressed.kind !== 'mouse') return this.dispatch({ kind: 'pressed', pressed });
    const { action, column, row } = pressed;
    this.dispatch({ kind: 'mouse', action, hit: hitAt(this.#view, column, row) });
  }

  async #follow(): Promise<void> {
    for await (const followed of followRoot(this.#shell, this.#closing.signal)) {
      this.dispatch(followed);
      if (followed.kind === 'status') void this.#runs.read(followed.report);
    }
  }

  #drawSoon(): void {
    if (this.#drawTimer !== undefined) return;
    const wait = Math.max(0, this.#drawnAt + FRAME_MS - performance.now());
    this.#drawTimer = setTimeout(() => this.#draw(), wait);
  }

  #draw(): void {
    this.#drawTimer = undefined;
    this.#drawnAt = performance.now();
    this.#terminal.show(draw(this.#view));
    // What is on the screen counts as shown; this alone changes nothing there.
    this.#view = update(this.#view, { kind: 'shown' }, systemClock.now()).view;
  }

  #perform(effect: Effect): void {
    if (effect.kind === 'quit') this.#ended.resolve();
    else if (effect.kind === 'suspend') this.#terminal.stop();
    else if (effect.kind === 'mouse') this.#terminal.setMouse(effect.isOn);
    else if (effect.kind === 'draft') void this.#drafts.keep(effect);
    else void performEffect(effect, { shell: this.#shell, terminal: this.#terminal, dispatch: this.dispatch });
  }
}
