import { type Screen, screenFromText } from './screen.ts';

/** Returns the same object for an unchanged screen, so that llmc splits and classifies it only once. */
export class ScreenMemory {
  readonly #last = new Map<string, { readonly text: string; readonly screen: Screen }>();

  screenOf(session: string, text: string): Screen {
    const last = this.#last.get(session);
    if (last?.text === text) return last.screen;
    // Copy the text: a slice would keep the output of all workers in memory.
    const own = Buffer.from(text).toString();
    const screen = screenFromText(own);
    this.#last.set(session, { text: own, screen });
    return screen;
  }

  forgetAllBut(sessions: ReadonlySet<string>): void {
    for (const session of this.#last.keys()) if (!sessions.has(session)) this.#last.delete(session);
  }
}
