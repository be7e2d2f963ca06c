/** `npm run test:full`: with repetition, and with what waits for minutes. */
export const isFullRun = process.env['LLMC_FULL'] !== undefined;

/**
 * All rows in the full run, else only those that pass. For repetition: what a left-out row shows must be shown
 * in each run by another story, and the caller says by which.
 */
export function rowsOfThisRun<Row>(rows: readonly Row[], isInEachRun: (row: Row) => boolean): readonly Row[] {
  return isFullRun ? rows : rows.filter(isInEachRun);
}
