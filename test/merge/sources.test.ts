import { rowsOfThisRun } from '../support/full-run.ts';
import { SOURCES } from './scenarios/sources.ts';
import { table } from './table.ts';

/**
 * Each run lands a resolved conflict in every situation, and the other two ways to end once. Work without a conflict lands in every
 * situation, and more files and states of the user stop a landing, in src/git/landing/land.test.ts.
 */
const isInEachRun = (name: string): boolean =>
  /^main is checked out:|: a resolved conflict lands$|^an edit of the user|^a hook of a bare source/.test(name);

table(
  'situations of the source',
  rowsOfThisRun(SOURCES, ({ name }) => isInEachRun(name)),
);
