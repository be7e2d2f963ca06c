import { rowsOfThisRun } from '../support/full-run.ts';
import { OUTCOMES } from './scenarios/outcomes.ts';
import { table } from './table.ts';

/**
 * Each run has every end, every verdict of the proof and everything that is about git's record. Who else meets a conflict is in
 * src/workers/rebase/resolution.test.ts, every way to lose a line and every hard stop in src/proof, a branch that was reset in
 * src/workers/rebase/give-back.test.ts, generated files in src/workers/rebase/ruled-files.test.ts.
 */
const FULL_RUN_ONLY =
  /^(llmc rebase|the patrol) meets|in place of continuing|were staged go back|of the worker goes back|main deleted comes back|the result (emptied|lost)|^a mode|other line ends|moved to another file|resets its branch|makes a generated file/;

table(
  'what agents do with a conflict',
  rowsOfThisRun(OUTCOMES, ({ name }) => !FULL_RUN_ONLY.test(name)),
);
