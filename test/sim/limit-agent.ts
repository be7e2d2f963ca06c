import type { Activity } from '../../src/agents/activity.ts';
import type { AgentEvent } from '../../src/agents/events.ts';
import { AFTER_LIMIT_PROMPT } from '../support/prompts.ts';

/** How an agent reports its limit: with or without the time, with a wrong time, on its screen only, or with the note that it continues without a prompt. */
export const MANNERS = ['names', 'silent', 'past', 'absurd', 'screen', 'by-itself', 'only-says-so'] as const;
export type Manner = (typeof MANNERS)[number];

const DAY_MS = 86_400_000;

/** The service behind an account: it takes some turns, then refuses for a while. */
export class SimAccount {
  readonly name: string;
  readonly manner: Manner;
  readonly #next: () => number;
  #left: number;
  #closedUntil = 0;

  constructor(name: string, manner: Manner, next: () => number) {
    this.name = name;
    this.manner = manner;
    this.#next = next;
    this.#left = Math.floor(next() * 4);
  }

  /** The time of the next accepted turn, if the service refuses one now. */
  refuses(now: number): number | undefined {
    if (now < this.#closedUntil) return this.#closedUntil;
    this.#left -= 1;
    if (this.#left >= 0) return undefined;
    this.#left = 2 + Math.floor(this.#next() * 6);
    this.#closedUntil = now + 20_000 + Math.floor(this.#next() * 1_200_000);
    return this.#closedUntil;
  }
}

/** One agent as the supervisor observes it: a screen and reports. Records a complaint about each prompt it should not get. */
export class SimAgent {
  readonly name: string;
  readonly account: SimAccount;
  readonly received: string[] = [];
  readonly complaints: string[] = [];
  /** Reports not read yet. */
  readonly spool: { at: number; event: AgentEvent }[];
  stoppedAt: number | undefined;
  changedAt: number;
  #busyUntil: number | undefined;
  #wakesAt: number | undefined;
  #shows: Activity = { kind: 'ready' };
  readonly #next: () => number;

  constructor(name: string, account: SimAccount, next: () => number, now: number) {
    this.name = name;
    this.account = account;
    this.#next = next;
    this.changedAt = now;
    this.spool = [{ at: now, event: { kind: 'ready' } }];
  }

  get screen(): Activity {
    return this.#busyUntil === undefined ? this.#shows : { kind: 'processing' };
  }

  /** The time of its next action without a prompt. */
  get nextAt(): number | undefined {
    return this.#busyUntil ?? this.#wakesAt;
  }

  receive(text: string, now: number): void {
    this.received.push(text);
    if (this.#busyUntil !== undefined) this.complaints.push(`got "${text}" in the middle of a turn`);
    if (text === AFTER_LIMIT_PROMPT && this.stoppedAt === undefined)
      this.complaints.push('got the prompt to continue, although nothing had stopped it');
    if (text !== AFTER_LIMIT_PROMPT && this.stoppedAt !== undefined) this.complaints.push(`got "${text}" before its task continued`);
    if (this.#wakesAt !== undefined) this.complaints.push(`got "${text}", although it continues by itself`);
    this.#work(text, now);
  }

  live(now: number): void {
    if (this.#busyUntil !== undefined && now >= this.#busyUntil) this.#endTurn(now);
    if (this.#wakesAt !== undefined && now >= this.#wakesAt) this.#work('Your limit has reset. Continue.', now);
  }

  #work(text: string, now: number): void {
    this.changedAt = now;
    this.stoppedAt = undefined;
    this.#wakesAt = undefined;
    this.#busyUntil = now + 1_000 + Math.floor(this.#next() * 60_000);
    this.spool.push({ at: now, event: { kind: 'prompt_accepted', text } });
  }

  #endTurn(now: number): void {
    this.changedAt = now;
    this.#busyUntil = undefined;
    const opensAt = this.account.refuses(now);
    if (opensAt === undefined) {
      this.#shows = { kind: 'ready' };
      this.spool.push({ at: now, event: { kind: 'turn_ended', message: 'done', backgroundTasks: 0 } });
      return;
    }
    this.stoppedAt = now;
    const { manner } = this.account;
    const continuesByItself = manner === 'by-itself' || manner === 'only-says-so';
    const resetsAt = manner === 'silent' ? null : manner === 'past' ? now - 60_000 : manner === 'absurd' ? now + 400 * DAY_MS : opensAt;
    this.#shows = { kind: 'waiting_limit', resetsAt, continuesByItself };
    if (manner === 'by-itself') this.#wakesAt = opensAt + Math.floor(this.#next() * 100_000);
    if (manner === 'screen') return;
    const event: AgentEvent = { kind: 'turn_failed', type: 'rate_limit', recoverable: true, message: 'limit', resetsAt };
    this.spool.push({ at: now, event });
  }
}
