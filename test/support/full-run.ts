import { test } from 'vitest';

/** Whether this is `npm run test:full`, with repetitions and with tests that wait for minutes. */
export const isFullRun = process.env['LLMC_FULL'] !== undefined;

/**
 * All rows in the full run, otherwise only those that pass the filter. Use it for repetition: another test must show
 * in each run what an omitted row shows, and the caller names that test.
 */
export function rowsOfThisRun<Row>(rows: readonly Row[], isInEachRun: (row: Row) => boolean): readonly Row[] {
  return isFullRun ? rows : rows.filter(isInEachRun);
}

/** A test of the full run only: it repeats what a test of each run shows, and the caller names that one. */
export function testOfFullRun(name: string, run: () => Promise<void>): void {
  if (isFullRun) test(name, run);
}
