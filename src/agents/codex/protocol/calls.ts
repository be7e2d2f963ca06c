import type { RequestId } from './messages.ts';

/** Numbers the requests to the server and remembers what each answer will be about. */
export class Calls<Purpose> {
  #last = 0;
  readonly #open = new Map<RequestId, Purpose>();

  ask(method: string, params: object, about: Purpose): string {
    this.#last += 1;
    this.#open.set(this.#last, about);
    return JSON.stringify({ id: this.#last, method, params });
  }

  /** The request of this answer; undefined for an unexpected or a second answer. */
  take(id: RequestId): Purpose | undefined {
    const about = this.#open.get(id);
    this.#open.delete(id);
    return about;
  }

  some(test: (about: Purpose) => boolean): boolean {
    return [...this.#open.values()].some(test);
  }
}

/** A notification: a message that gets no reply. */
export function notification(method: string): string {
  return JSON.stringify({ method });
}

export function reply(id: RequestId, result: object): string {
  return JSON.stringify({ id, result });
}
