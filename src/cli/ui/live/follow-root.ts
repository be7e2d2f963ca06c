import type { LlmcError } from '../../../base/error.ts';
import { sharedReport, withChanges } from '../../../supervisor/follow/changes.ts';
import type { PushedEvent } from '../../../supervisor/follow/pushed-event.ts';
import { requireRoot } from '../../../supervisor/ownership/require-root.ts';
import type { StatusReport } from '../../../supervisor/report/status-report.ts';
import { systemClock } from '../../../system/clock.ts';
import { UNANSWERED } from '../../owner/owner.ts';
import { statusFromDisk } from '../../owner/status-from-disk.ts';
import type { Shell } from '../../shell.ts';
import { listen } from './listen.ts';
import { newest } from './newest.ts';
import { ReturnWatch } from './return-watch.ts';

export type Followed =
  /** Always whole. Workers that did not change are the same objects as in the report before. */
  | { readonly kind: 'status'; readonly report: StatusReport }
  /** No supervisor answers. The status from disk follows, then that of a supervisor when one is back. */
  | { readonly kind: 'lost'; readonly why: string };

/** The supervisor sends something every ten seconds. One that is silent for this long was stopped, or hangs. */
const SILENCE_MS = 35_000;
const SETTLE_MS = 30;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** The status of a root from now on, with or without a supervisor. Throws if the root is removed. */
export function followRoot(shell: Shell, signal: AbortSignal, silenceMs = SILENCE_MS): AsyncIterable<Followed> {
  return newest((post, until) => new RootFollower(shell, post, silenceMs).run(until), signal);
}

class RootFollower {
  readonly #shell: Shell;
  readonly #post: (followed: Followed) => void;
  readonly #request: Parameters<typeof listen>[1];
  /** The report that was posted last. */
  #report: StatusReport | undefined;
  #why: string | undefined;

  constructor(shell: Shell, post: (followed: Followed) => void, silenceMs: number) {
    this.#shell = shell;
    this.#post = post;
    this.#request = { name: 'follow', args: {}, silenceMs };
  }

  async run(signal: AbortSignal): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const wasLost = this.#why !== undefined;
      const lost = await listen(this.#shell, this.#request, signal, (event) => this.#apply(event));
      if (signal.aborted) return;
      // It was there meanwhile.
      if (wasLost && this.#why === undefined) pauseMs = FIRST_PAUSE_MS;
      using watch = new ReturnWatch(this.#shell.layout);
      await this.#fromDisk(lost);
      if (!(await watch.wait(pauseMs, signal))) continue;
      // A new supervisor listens a moment after its socket is there, and a command writes more than once.
      await systemClock.sleep(SETTLE_MS, signal).catch(() => undefined);
      pauseMs = FIRST_PAUSE_MS / 2;
    }
  }

  #apply(event: PushedEvent): void {
    if ('report' in event) this.#postStatus(event.report);
    else if ('changes' in event && this.#report !== undefined) this.#postStatus(withChanges(this.#report, event.changes));
    this.#why = undefined;
  }

  async #fromDisk(lost: LlmcError): Promise<void> {
    const why = `${lost.message} – ${lost.hint}`;
    if (why !== this.#why) this.#post({ kind: 'lost', why });
    this.#why = why;
    requireRoot(this.#shell.layout);
    this.#postStatus(await statusFromDisk(this.#shell, UNANSWERED.includes(lost.code) ? lost : undefined));
  }

  #postStatus(report: StatusReport): void {
    const next = this.#report === undefined ? report : sharedReport(this.#report, report);
    if (next === this.#report) return;
    this.#report = next;
    this.#post({ kind: 'status', report: next });
  }
}
