import type { Reporter, TestModule, TestRunEndReason, Vitest } from 'vitest/node';

/** One line at the end that a person can read, and no silent holes: with CI set, a skipped test is a failed run. */
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
    const holes = Boolean(process.env.CI) && skipped.length > 0;
    if (holes) process.exitCode = 1;
    for (const test of skipped) this.#vitest?.logger.log(`skipped: ${test.module.relativeModuleId} > ${test.fullName}`);
    const verdict = verdictOf(tests.length, errors.length, holes, reason);
    const seconds = Math.round((performance.now() - this.#startedAt) / 1_000);
    const counts = `${inState('passed').length} passed, ${inState('failed').length} failed, ${skipped.length} skipped`;
    this.#vitest?.logger.log(`${verdict}: ${counts}, ${modules.length} files, ${seconds} s`);
  }
}

function verdictOf(tests: number, errors: number, holes: boolean, reason: TestRunEndReason): string {
  if (tests === 0) return 'NOTHING RAN';
  // vitest 5.1 calls such a run passed and exits with 1.
  if (errors > 0) return `FAILED (${errors} errors outside the tests)`;
  return holes ? 'FAILED (with CI set, a skipped test is a failure)' : reason.toUpperCase();
}
