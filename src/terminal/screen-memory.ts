import { type Screen, screenFromText } from './screen.ts';

/** An unchanged screen is the same object as before, so that nobody cuts it into lines or reads it a second time. */
export class ScreenMemory {
  readonly #last = new Map<string, { readonly text: string; readonly screen: Screen }>();

  see(session: string, text: string): Screen {
    const last = this.#last.get(session);
    if (last?.text === text) return last.screen;
    // A copy: a part cut out of it would keep the output of the whole fleet in memory.
    const own = Buffer.from(text).toString();
    const screen = screenFromText(own);
    this.#last.set(session, { text: own, screen });
    return screen;
  }

  forgetAllBut(sessions: ReadonlySet<string>): void {
    for (const session of this.#last.keys()) if (!sessions.has(session)) this.#last.delete(session);
  }
}
