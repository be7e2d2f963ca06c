import type { DeclaredPatterns, ScreenReading } from '../agent.ts';
import type { AgentDeclaration } from './declaration.ts';
import { all, compile, describePattern, type Patterns, without } from './patterns.ts';
import { readScreen, showsText } from './read-screen.ts';

/** Runs a function that may never end; undefined after the timeout. */
export type TimeBox = <Result>(work: () => Result) => Result | undefined;

/** Try several times, because a stalled machine can also cause a timeout. */
const ATTEMPTS = 3;

/**
 * Classifies screens by the patterns of a declaration. Some patterns that people write never end on some lines (`(a+)+$`), so llmc runs
 * all of them with a timeout. It does not run a slow pattern again until the user changes it; until then the screen is unknown.
 */
export class PatternReader implements DeclaredPatterns {
  readonly #declaration: AgentDeclaration;
  readonly #timeBox: TimeBox;
  #patterns: Patterns;
  #tooSlow: string | undefined;
  #isReduced = false;

  constructor(declaration: AgentDeclaration, timeBox: TimeBox) {
    this.#declaration = declaration;
    this.#timeBox = timeBox;
    this.#patterns = compile(declaration);
  }

  get hasBox(): boolean {
    return this.#patterns.box !== undefined;
  }

  get isReduced(): boolean {
    return this.#isReduced;
  }

  read(lines: readonly string[]): ScreenReading {
    for (let attempt = 0; attempt < ATTEMPTS && this.#tooSlow === undefined; attempt += 1) {
      const reading = this.#timeBox(() => readScreen(lines, this.#patterns));
      if (reading !== undefined) return reading;
      this.#tooSlow = this.#tooSlowOn(lines);
    }
    const rule =
      this.#tooSlow === undefined
        ? 'the machine was too slow to read the screen'
        : `the pattern ${this.#tooSlow} takes too long; write it without nested repeats`;
    return { activity: { kind: 'unknown' }, confidence: 0, rule, box: { kind: 'absent' } };
  }

  showsText(lines: readonly string[], text: string): boolean {
    return this.#tooSlow === undefined && this.#timeBox(() => showsText(lines, this.#patterns, text)) === true;
  }

  source(pattern: string): string {
    return describePattern(compile(this.#declaration), pattern);
  }

  distrust(pattern: string): void {
    this.#isReduced = true;
    this.#patterns = without(this.#patterns, pattern);
  }

  #tooSlowOn(lines: readonly string[]): string | undefined {
    // Each time: a pattern is not used again, so one stalled moment must not condemn it.
    const isTooSlow = (expression: RegExp) =>
      Array.from({ length: ATTEMPTS }).every(() => this.#timeBox(() => lines.some((line) => expression.test(line))) === undefined);
    return all(this.#patterns).find(({ expression }) => isTooSlow(expression))?.name;
  }
}
