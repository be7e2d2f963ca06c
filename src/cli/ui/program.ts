import { randomUUID } from 'node:crypto';
import { systemClock } from '../../system/clock.ts';
import { draw } from '../../tui/draw/draw.ts';
import { hitAt } from '../../tui/draw/hit.ts';
import { readTogether } from '../../tui/model/burst.ts';
import type { Begun } from '../../tui/model/effect.ts';
import type { Event } from '../../tui/model/event.ts';
import { update } from '../../tui/model/update.ts';
import { emptyView, type NamedRoot, type View } from '../../tui/model/view.ts';
import type { Pressed } from '../../tui/screen/key.ts';
import { callOwner } from '../owner/owner.ts';
import { Shell } from '../shell.ts';
import { DraftFeed } from './draft-feed.ts';
import { RootsFeed } from './live/roots-feed.ts';
import { PaneFeed } from './pane-feed.ts';
import { performEffect } from './perform-effect.ts';
import { ViewTerminal } from './terminal/view-terminal.ts';
import { ViewShell } from './view-shell.ts';

/** Events that come faster are drawn together: no eye follows more. */
const FRAME_MS = 16;
const TICK_MS = 1_000;

/** How long a person who leaves waits for the disk. */
const LEAVING_MS = 5_000;

/** What a view leaves behind. */
export interface EndedView {
  /** Of the process, if a signal ended it. */
  readonly status: number | undefined;
  /** What was still under way. */
  readonly underWay: readonly Begun[];
}

/** The view while it is open: events go in, the screen is drawn, effects are performed. */
export class Program {
  readonly #shell: Shell;
  readonly #shells = new Map<string, Shell>();
  readonly #ended = Promise.withResolvers<number | undefined>();
  readonly #closing = new AbortController();
  readonly #terminal: ViewTerminal;
  readonly #drafts: DraftFeed;
  readonly #pane: PaneFeed;
  readonly #roots: RootsFeed;
  #view: View;
  #drawTimer: NodeJS.Timeout | undefined;
  #drawnAt = 0;

  /** Shows the first of these roots, or all together. */
  constructor(shell: Shell, roots: readonly NamedRoot[], isTogether: boolean) {
    this.#shell = shell;
    this.#terminal = new ViewTerminal(
      {
        pressed: (read) => {
          for (const pressed of readTogether(this.#view, read)) this.#pressed(pressed);
        },
        resized: (size) => this.dispatch({ kind: 'resized', size }),
        closed: (status) => this.#close(status),
      },
      shell.options.color,
    );
    this.#view = emptyView(this.#terminal.size, systemClock.now(), roots, { isTogether, id: randomUUID() });
    this.#drafts = new DraftFeed((root) => new ViewShell(this.#shellOf(root).options), this.dispatch);
    this.#pane = new PaneFeed(this.#shellOf, this.dispatch);
    this.#roots = new RootsFeed(this.#shellOf, this.dispatch);
  }

  /** Resolves when the person leaves or a signal comes. */
  async run(): Promise<EndedView> {
    using _ = this.#terminal;
    const tick = setInterval(() => this.dispatch({ kind: 'tick' }), TICK_MS);
    let status: number | undefined;
    try {
      this.#roots.want(this.#view);
      status = await Promise.race([this.#ended.promise, this.#roots.failure]);
    } finally {
      await this.#drafts.settled(LEAVING_MS);
      clearInterval(tick);
      clearTimeout(this.#drawTimer);
      this.#pane.stop();
      this.#roots.stop();
      this.#closing.abort();
    }
    return { status, underWay: this.#view.running.map(({ effect }) => effect) };
  }

  readonly dispatch = (event: Event): void => {
    if (this.#closing.signal.aborted) return;
    const { view, effects } = update(this.#view, event, systemClock.now());
    this.#view = view;
    for (const effect of effects) this.#perform(effect);
    this.#pane.want(view);
    this.#roots.want(view);
    this.#drawSoon();
  };

  /** What was typed since the last second is stored too. */
  #close(status: number | undefined): void {
    this.dispatch({ kind: 'closing' });
    this.#ended.resolve(status);
  }

  #pressed(pressed: Pressed): void {
    if (pressed.kind !== 'mouse') return this.dispatch({ kind: 'pressed', pressed });
    const { action, column, row } = pressed;
    this.dispatch({ kind: 'mouse', action, hit: hitAt(this.#view, column, row) });
  }

  /** The commands of a root. */
  readonly #shellOf = (root: string): Shell => {
    const known = root === this.#shell.root ? this.#shell : this.#shells.get(root);
    const shell = known ?? new Shell({ ...this.#shell.options, root }, callOwner);
    if (known === undefined) this.#shells.set(root, shell);
    return shell;
  };

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

  #perform(effect: Begun): void {
    if (effect.kind === 'quit') this.#ended.resolve(undefined);
    else if (effect.kind === 'suspend') this.#terminal.stop();
    else if (effect.kind === 'mouse') this.#terminal.setMouse(effect.isOn);
    else if (effect.kind === 'draft') void this.#drafts.keep(effect);
    else void performEffect(effect, { shell: this.#shellOf(effect.root), terminal: this.#terminal, dispatch: this.dispatch });
  }
}
