import type { SystemPorts } from '../../base/ports.ts';
import type { StatusReport } from '../report/status-report.ts';
import { changesBetween, type FollowEvent } from './changes.ts';

/** Where the events of one follower go. */
export interface Outlet {
  push(event: FollowEvent): void;
  /** Whether earlier events still wait for the follower to read them. */
  isFull(): boolean;
  /** Called whenever the follower has read everything. */
  onDrain(listener: () => void): void;
}

/** Makes the reports that followers get. */
export interface ReportMaker {
  /** The current report. Workers that are not named stay as they were before. */
  make(before: StatusReport | undefined, workers: ReadonlySet<string> | 'all'): Promise<StatusReport>;
}

interface Follower {
  readonly outlet: Outlet;
  /** The report that it has. */
  sent: StatusReport | undefined;
  isIdle: boolean;
}

/** In a burst that lasts, reports are made no more often than this: a person sees no difference, and 100 events a second cost as little as 25. */
const BURST_MS = 40;
/** As many reports may follow each other faster: the end of a turn is several events, and the last one matters. */
const MOST_AT_ONCE = 8;

/**
 * Sends the status to the clients that follow it: once whole, then what has changed. Makes one report for all followers, and none without
 * any. A follower that does not read costs one old report, whatever happens meanwhile: it gets the difference when it reads again.
 */
export class Followers {
  readonly #ports: Pick<SystemPorts, 'clock' | 'scheduler'>;
  readonly #maker: ReportMaker;
  readonly #followers = new Set<Follower>();
  readonly #closed = new AbortController();
  #current: StatusReport | undefined;
  #dirty: Set<string> | 'all' = new Set();
  #madeAt = 0;
  /** How many reports may be made now without waiting for the end of `BURST_MS`. */
  #spare = MOST_AT_ONCE;
  #isDue = false;
  #making: Promise<void> = Promise.resolve();

  constructor(maker: ReportMaker, ports: Pick<SystemPorts, 'clock' | 'scheduler'>) {
    this.#maker = maker;
    this.#ports = ports;
  }

  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }

  /** This worker may have changed, and what is reported beside the workers. */
  markWorker(name: string): void {
    if (this.#dirty !== 'all') this.#dirty.add(name);
    this.markHead();
  }

  markAll(): void {
    this.#dirty = 'all';
    this.markHead();
  }

  /** What is reported beside the workers may have changed. */
  markHead(): void {
    if (this.isFollowed) this.#schedule();
    else this.#dirty = new Set();
  }

  /** Once in a while: for what changes without an event, such as ages and figures, and as a sign of life. */
  async refresh(): Promise<void> {
    if (!this.isFollowed) return;
    for (const follower of this.#followers) follower.isIdle = true;
    this.#dirty = 'all';
    await this.#renew();
    for (const follower of this.#followers) if (follower.isIdle && !follower.outlet.isFull()) follower.outlet.push({ alive: true });
  }

  /** Sends until the follower leaves or the supervisor ends. */
  async follow(outlet: Outlet, signal: AbortSignal): Promise<void> {
    const follower: Follower = { outlet, sent: undefined, isIdle: false };
    const over = AbortSignal.any([signal, this.#closed.signal]);
    this.#followers.add(follower);
    outlet.onDrain(() => this.#send(follower));
    try {
      this.#dirty = 'all';
      await this.#renew();
      if (!over.aborted) await new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }));
    } finally {
      this.#followers.delete(follower);
      if (!this.isFollowed) this.#current = undefined;
    }
  }

  /** Ends every follower. */
  close(why: string): void {
    for (const { outlet } of this.#followers) if (!outlet.isFull()) outlet.push({ stopping: why });
    this.#closed.abort();
  }

  #schedule(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    const renew = () =>
      // The database may be closed already, or cannot be read at the moment: the next event tries again.
      void this.#renew().catch(() => undefined);
    // After the work that goes on now, such as further commits of the same step. A timer would wait for the disk with them.
    if (this.#spare >= 1) this.#ports.scheduler.soon(renew);
    else void this.#ports.clock.sleep(BURST_MS).then(renew);
  }

  /** One report at a time: a later one must not be overtaken by an earlier one. */
  async #renew(): Promise<void> {
    this.#making = this.#making.catch(() => undefined).then(() => this.#make());
    await this.#making;
  }

  async #make(): Promise<void> {
    this.#isDue = false;
    if (!this.isFollowed) return;
    const dirty = this.#dirty;
    this.#dirty = new Set();
    const now = this.#ports.clock.now();
    // A clock that was set back gives none.
    this.#spare = Math.min(MOST_AT_ONCE, Math.max(0, this.#spare + Math.max(0, now - this.#madeAt) / BURST_MS - 1));
    this.#madeAt = now;
    this.#current = await this.#maker.make(this.#current, this.#current === undefined ? 'all' : dirty);
    for (const follower of this.#followers) this.#send(follower);
  }

  #send(follower: Follower): void {
    const { outlet, sent } = follower;
    const current = this.#current;
    if (current === undefined || sent === current || outlet.isFull()) return;
    const changes = sent && changesBetween(sent, current);
    follower.sent = current;
    if (sent !== undefined && changes === undefined) return;
    follower.isIdle = false;
    outlet.push(changes === undefined ? { report: current } : { changes });
  }
}
