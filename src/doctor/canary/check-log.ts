import type { Clock } from '../../base/ports.ts';
import { visibleText } from '../../base/visible-text.ts';
import type { CanaryCheck } from '../../store/findings/canaries.ts';
import { type CanaryQuestionName, QUESTIONS } from './questions.ts';

const TRY_EVERY_MS = 50;
const LONGEST_EVIDENCE = 400;

/** Evidence that settles a question; undefined: try again. */
export type CheckAnswer = { readonly passed: string } | { readonly failed: string } | undefined;

/** The results of a canary's questions. */
export class CheckLog {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #checks: CanaryCheck[] = [];

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Sorted like the list of questions, because some run in parallel. */
  get checks(): readonly CanaryCheck[] {
    return this.#checks.toSorted((a, b) => place(a) - place(b));
  }

  has(name: CanaryQuestionName): boolean {
    return this.#checks.some((check) => check.name === name);
  }

  /** Repeats `check` until it settles the question or the time is over; `late` then describes what was found instead. True if it passed. */
  async ask(
    name: CanaryQuestionName,
    patienceMs: number,
    check: () => Promise<CheckAnswer>,
    late: () => Promise<string>,
  ): Promise<boolean> {
    const began = this.#clock.now();
    for (;;) {
      const answer = await check();
      const elapsed = this.#clock.now() - began;
      if (answer !== undefined) return this.settle(name, answer, elapsed);
      if (elapsed >= patienceMs) return this.settle(name, { failed: `not within ${patienceMs / 1_000} s: ${await late()}` }, elapsed);
      await this.#clock.sleep(TRY_EVERY_MS, this.#signal);
    }
  }

  skip(names: readonly CanaryQuestionName[], why: string): void {
    for (const name of names) this.#checks.push({ name, verdict: 'not_tried', evidence: why, took_ms: 0 });
  }

  settle(name: CanaryQuestionName, answer: Exclude<CheckAnswer, undefined>, elapsedMs = 0): boolean {
    const passed = 'passed' in answer;
    const evidence = visibleText(passed ? answer.passed : answer.failed).slice(0, LONGEST_EVIDENCE);
    this.#checks.push({ name, verdict: passed ? 'passed' : 'failed', evidence, took_ms: Math.round(elapsedMs) });
    return passed;
  }
}

const place = ({ name }: CanaryCheck): number => QUESTIONS.findIndex((question) => question.name === name);
