import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestCase, TestModule, TestRunEndReason, Vitest } from 'vitest/node';

const LONGEST_REASON = 200;

/**
 * One line at the end that a person can read, and no silent holes: with CI set, a skipped test is a failed run. One that says
 * what this machine cannot do (`skip(note)`) is not a hole: the note is in the last lines.
 */
export default class ClosingLine implements Reporter {
  #vitest: Vitest | undefined;
  readonly #startedAt = performance.now();

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: TestRunEndReason): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state: string) => tests.filter((test) => test.result().state === state);
    const skipped = inState('skipped');
    const holes = Boolean(process.env.CI) && skipped.some((test) => noteOf(test) === undefined);
    if (holes) process.exitCode = 1;
    const failed = inState('failed');
    for (const test of skipped) this.#vitest?.logger.log([`skipped: ${nameOf(test)}`, noteOf(test)].filter(Boolean).join(': '));
    // Named once more at the very end: a log is often cut from the front.
    for (const test of failed) this.#vitest?.logger.log(`failed: ${nameOf(test)}: ${reasonOf(test)}`);
    const verdict = verdictOf(tests.length, errors.length, holes, reason);
    const seconds = Math.round((performance.now() - this.#startedAt) / 1_000);
    const counts = `${inState('passed').length} passed, ${failed.length} failed, ${skipped.length} skipped`;
    this.#vitest?.logger.log(`${verdict}: ${counts}, ${modules.length} files, ${seconds} s`);
  }
}

function noteOf(test: TestCase): string | undefined {
  const result = test.result();
  return result.state === 'skipped' ? result.note : undefined;
}

function nameOf(test: TestCase): string {
  return `${test.module.relativeModuleId} > ${test.fullName}`;
}

function reasonOf(test: TestCase): string {
  const message = test.result().errors?.[0]?.message ?? 'no reason given';
  return stripVTControlCharacters(message).replace(/\s+/g, ' ').slice(0, LONGEST_REASON);
}

function verdictOf(tests: number, errors: number, holes: boolean, reason: TestRunEndReason): string {
  if (tests === 0) return 'NOTHING RAN';
  // vitest 5.1 calls such a run passed and exits with 1.
  if (errors > 0) return `FAILED (${errors} errors outside the tests)`;
  return holes ? 'FAILED (with CI set, a skipped test is a failure)' : reason.toUpperCase();
}
