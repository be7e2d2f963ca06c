import { resolve, type Scenario, stage } from '../scenario.ts';
import { changed, TEN } from './texts.ts';

const BOTH = changed(5, 'main\nworker\n');
const BY_MAIN = changed(5, 'main\n');
const BY_WORKER = changed(5, 'worker\n');
const CONTENT = { f: 'content' } as const;

const commit = (path: string) => `echo ${path} > ${path}; git add ${path}; git commit --quiet -m ${path}`;
/** A person merges the work as it is now, by hand. */
const MERGED_BY_HAND = `(cd "$SOURCE"; git fetch --quiet "$OLDPWD" HEAD; git merge --quiet --no-ff --no-edit FETCH_HEAD)`;

/** Each stop has one of the two files, in the order in which git moves the commits. */
const ONE_BY_ONE = [stage({ f: BOTH }), stage({ g: changed(2, 'main\nworker\n') })];

/** Branches that are not a line of commits, and commits without a change. */
export const MERGES: readonly Scenario[] = [
  {
    name: 'criss-cross: each side merged the other one, and they have two merge bases, without a conflict',
    base: { f: TEN },
    worker: [
      { files: { a: 'a\n' } },
      // Main's commit is merged here, and the work from before that is merged there.
      `git branch before; (cd "$SOURCE"; ${commit('early')}); git fetch --quiet origin
       (cd "$SOURCE"; git fetch --quiet "$OLDPWD" before; git merge --quiet --no-ff --no-edit FETCH_HEAD)
       git merge --quiet --no-ff --no-edit origin/main; git branch --quiet -D before`,
      { files: { f: BY_WORKER } },
    ],
    main: [{ files: { m: 'm\n' } }],
    expected: { ends: 'landed', main: { f: BY_WORKER, a: 'a\n', early: 'early\n', m: 'm\n' } },
  },
  {
    name: 'criss-cross, and both sides changed the same line afterwards',
    base: { f: TEN },
    worker: [
      { files: { a: 'a\n' } },
      `git branch before; (cd "$SOURCE"; ${commit('early')}); git fetch --quiet origin
       (cd "$SOURCE"; git fetch --quiet "$OLDPWD" before; git merge --quiet --no-ff --no-edit FETCH_HEAD)
       git merge --quiet --no-ff --no-edit origin/main; git branch --quiet -D before`,
      { files: { f: BY_WORKER } },
    ],
    main: [{ files: { f: BY_MAIN } }],
    turns: [stage({ f: BOTH })],
    expected: { ends: 'landed', clashes: CONTENT, main: { f: BOTH, a: 'a\n', early: 'early\n' } },
  },
  {
    name: 'a person merged the work by hand, and the worker went on',
    base: { f: TEN },
    worker: [{ files: { f: BY_WORKER } }, MERGED_BY_HAND, { files: { a: 'a\n' } }],
    main: [{ files: { m: 'm\n' } }],
    expected: { ends: 'landed', main: { f: BY_WORKER, a: 'a\n', m: 'm\n' } },
  },
  {
    name: 'an octopus of two branches, and a conflict in a commit after it',
    base: { f: TEN },
    worker: [
      `for each in one two; do git checkout --quiet -b $each llmc/adam; echo $each > $each; git add $each; git commit --quiet -m $each; done
       git checkout --quiet llmc/adam; ${commit('own')}; git merge --quiet --no-edit one two; git branch --quiet -D one two`,
      { files: { f: BY_WORKER } },
    ],
    main: [{ files: { f: BY_MAIN } }],
    turns: [resolve({ f: BOTH })],
    expected: { ends: 'landed', clashes: CONTENT, main: { f: BOTH, one: 'one\n', two: 'two\n', own: 'own\n' } },
  },
  {
    name: 'an octopus whose branches conflict with main one after the other',
    base: { f: TEN, g: TEN },
    worker: [
      `git checkout --quiet -b one; sed -i 's/^line 5$/worker/' f; git commit --quiet --all -m One
       git checkout --quiet -b two llmc/adam; sed -i 's/^line 2$/worker/' g; git commit --quiet --all -m Two
       git checkout --quiet llmc/adam; ${commit('own')}; git merge --quiet --no-edit one two; git branch --quiet -D one two`,
    ],
    main: [{ files: { f: BY_MAIN, g: changed(2, 'main\n') } }],
    turns: ONE_BY_ONE,
    expected: { ends: 'landed', clashes: CONTENT, main: { f: BOTH, g: changed(2, 'main\nworker\n'), own: 'own\n' } },
  },
  {
    name: 'a merge of the worker that adds a file itself',
    base: { f: TEN },
    worker: [
      `git checkout --quiet -b one; ${commit('one')}; git checkout --quiet llmc/adam; ${commit('own')}
       git merge --quiet --no-ff --no-commit one; echo more > more; git add more; git commit --quiet -m Merge; git branch --quiet -D one`,
    ],
    main: [{ files: { m: 'm\n' } }],
    expected: { ends: 'landed', main: { one: 'one\n', own: 'own\n', more: 'more\n', m: 'm\n' } },
  },
  {
    name: 'the only commit is empty: there is nothing to land',
    base: { f: TEN },
    worker: ['git commit --quiet --allow-empty -m Empty'],
    main: [],
    expected: { ends: 'nothing-to-land' },
  },
  {
    name: 'the only commit is empty, and main has moved: there is nothing to land',
    base: { f: TEN },
    worker: ['git commit --quiet --allow-empty -m Empty'],
    main: [{ files: { m: 'm\n' } }],
    expected: { ends: 'nothing-to-land' },
  },
  {
    name: 'the commits cancel each other, and main has not moved: there is nothing to land',
    base: { f: TEN },
    worker: [{ files: { f: BY_WORKER } }, { files: { f: TEN } }],
    main: [],
    by: 'review',
    expected: { ends: 'nothing-to-land' },
  },
];
