import { rowsOfThisRun } from '../support/full-run.ts';
import { KINDS } from './scenarios/kinds.ts';
import { table } from './table.ts';

/**
 * Each run has every type once. With the sides exchanged, each type is read in src/git/rebase/conflict-facts.test.ts and ended in
 * src/workers/prompt/conflict-commands.test.ts; other results of the same type are tables in src/proof.
 */
const FULL_RUN_ONLY =
  /one line with the words|main deleted the file, and the result obeys|the worker deleted the file, and the result keeps|as a program on one side|each side gave the file another name|two files were given|the worker deleted what main renamed|a file of main where|the result has the worker’s file/;

table(
  'types of conflicts',
  rowsOfThisRun(KINDS, ({ name }) => !FULL_RUN_ONLY.test(name)),
);
