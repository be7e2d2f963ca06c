/** Main of a simulated repository: which work has landed on it, and what was taken back. */
export class MainBranch {
  /** What main got, by the commit that landed. */
  readonly #landed = new Map<string, string>();
  /** What waits for a person, by the action that offered it. */
  readonly offers = new Map<string, string>();

  /** What main got for this work; undefined if it never landed. */
  has(work: string): string | undefined {
    return this.#landed.get(work);
  }

  /** The commits that main got and still has. */
  commits(): readonly string[] {
    return [...this.#landed.values()];
  }

  land(work: string, action: string): string {
    const commit = `main-${action}`;
    this.#landed.set(work, commit);
    // A recovery offers the same work again: it lands once.
    for (const [offer, offered] of this.offers) if (offer === action || offered === work) this.offers.delete(offer);
    return commit;
  }

  /** Takes back what landed, or withdraws what is offered. Returns the commit that does the opposite, if one is needed. */
  undo({ commit, offer }: { readonly commit: string | null; readonly offer: string | null }): string | null {
    if (offer !== null) this.offers.delete(offer);
    const gone = commit ?? `main-${offer}`;
    const found = [...this.#landed].find(([, landed]) => landed === gone);
    if (found === undefined) return null;
    this.#landed.delete(found[0]);
    return `revert-${gone}`;
  }
}
