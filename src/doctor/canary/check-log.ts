import { plainText } from '../../base/plain-text.ts';
import type { Clock } from '../../base/ports.ts';
import type { CanaryCheck } from '../../store/canaries.ts';
import { QUESTIONS, type QuestionName } from './checks.ts';

const LOOK_EVERY_MS = 50;
const LONGEST_EVIDENCE = 400;

/** Evidence that settles a question; undefined: look again. */
export type Answer = { readonly passed: string } | { readonly failed: string } | undefined;

/** Writes down what came of each question. */
export class Book {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #checks: CanaryCheck[] = [];

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** In the order of the questions: some are asked side by side. */
  get checks(): readonly CanaryCheck[] {
    return this.#checks.toSorted((a, b) => place(a) - place(b));
  }

  has(name: QuestionName): boolean {
    return this.#checks.some((check) => check.name === name);
  }

  /** Looks until there is an answer or time is up; then `late` says what was there instead. True when it passed. */
  async ask(name: QuestionName, patienceMs: number, look: () => Promise<Answer>, late: () => Promise<string>): Promise<boolean> {
    const began = this.#clock.now();
    for (;;) {
      const answer = await look();
      const elapsed = this.#clock.now() - began;
      if (answer !== undefined) return this.settle(name, answer, elapsed);
      if (elapsed >= patienceMs) return this.settle(name, { failed: `not within ${patienceMs / 1_000} s: ${await late()}` }, elapsed);
      await this.#clock.sleep(LOOK_EVERY_MS, this.#signal);
    }
  }

  skip(names: readonly QuestionName[], why: string): void {
    for (const name of names) this.#checks.push({ name, verdict: 'not_tried', evidence: why, took_ms: 0 });
  }

  settle(name: QuestionName, answer: Exclude<Answer, undefined>, elapsedMs = 0): boolean {
    const passed = 'passed' in answer;
    const evidence = plainText(passed ? answer.passed : answer.failed).slice(0, LONGEST_EVIDENCE);
    this.#checks.push({ name, verdict: passed ? 'passed' : 'failed', evidence, took_ms: Math.round(elapsedMs) });
    return passed;
  }
}

const place = ({ name }: CanaryCheck): number => QUESTIONS.findIndex((question) => question.name === name);
