import { resolve, type Scenario } from '../scenario.ts';
import { changed, TEN } from './texts.ts';

/** In the source: takes the file `gone` out of main's newest commit. */
const AMEND = 'git rm --quiet gone; git commit --quiet --amend -m "Base, amended"';
const FETCH = 'git fetch --quiet origin';
/** The user's next commit, which the worker takes in before the user replaces it. */
const NEXT = '(cd "$SOURCE"; echo gone > gone; echo next > next; git add gone next; git commit --quiet -m Next)';
const WORK = { a: 'a\n' };

/** The user rewrites main while the worker builds on what it was. What the user took back must not land with the work. */
export const REWRITTEN: readonly Scenario[] = [
  {
    name: 'the user amends the commit that the worker began at',
    base: { f: TEN, gone: 'gone\n' },
    worker: [{ files: WORK }],
    main: [AMEND],
    expected: { ends: 'landed', main: { f: TEN, a: 'a\n', gone: null } },
  },
  {
    name: 'the same in a bare source, which keeps no record of what main was',
    situation: 'bare',
    base: { f: TEN, gone: 'gone\n' },
    worker: [{ files: WORK }],
    main: [AMEND],
    by: 'patrol',
    expected: { ends: 'landed', main: { f: TEN, a: 'a\n', gone: null } },
  },
  {
    name: 'the user resets main by a commit, so that the worker already has all of main',
    base: { gone: 'gone\n' },
    worker: [{ files: WORK }],
    main: ['git reset --quiet --hard HEAD~1'],
    by: 'review',
    expected: { ends: 'landed', main: { a: 'a\n', gone: null } },
  },
  {
    name: 'the user drops a commit from the middle of main',
    begin: 'echo gone > gone; git add gone; git commit --quiet -m Gone',
    base: { f: TEN },
    worker: [{ files: WORK }],
    main: ['git rebase --quiet --onto HEAD~2 HEAD~1'],
    by: 'rebase',
    expected: { ends: 'landed', main: { f: TEN, a: 'a\n', gone: null } },
  },
  {
    name: 'the user replaces three commits of main with one',
    begin: 'for i in 1 2 3; do echo $i > gone; git add gone; git commit --quiet -m $i; done',
    base: { f: TEN },
    worker: [{ files: WORK }],
    main: ['git reset --quiet --soft HEAD~4; git rm --quiet --cached gone; rm gone; git commit --quiet -m One'],
    expected: { ends: 'landed', main: { f: TEN, a: 'a\n', gone: null } },
  },
  {
    name: 'the worker had rebased itself onto a commit that the user then amends',
    base: { f: TEN },
    worker: [{ files: WORK }, `${NEXT}; ${FETCH}; git rebase --quiet origin/main`],
    main: [AMEND],
    expected: { ends: 'landed', main: { f: TEN, a: 'a\n', next: 'next\n', gone: null } },
  },
  {
    name: 'the same in a bare source: llmc remembers what main was',
    situation: 'bare',
    base: { f: TEN },
    worker: [{ files: WORK }],
    main: [
      { files: { gone: 'gone\n', next: 'next\n' } },
      'git -C "$WORKTREE" fetch --quiet origin; git -C "$WORKTREE" rebase --quiet origin/main',
      AMEND,
    ],
    expected: { ends: 'landed', main: { f: TEN, a: 'a\n', next: 'next\n', gone: null } },
  },
  {
    name: 'the worker merges the amended main itself',
    base: { f: TEN, gone: 'gone\n' },
    worker: [{ files: WORK }],
    main: [AMEND],
    later: [`${FETCH}; git merge --quiet --no-edit origin/main; echo more > b; git add b; git commit --quiet --amend --no-edit`],
    expected: { ends: 'landed', main: { f: TEN, a: 'a\n', b: 'more\n', gone: null } },
  },
  {
    name: 'a worker that takes a removed commit over by a cherry-pick does so on purpose: it lands',
    base: { f: TEN },
    worker: [`${NEXT}; ${FETCH}`, { files: WORK }],
    main: ['git reset --quiet --hard HEAD~1'],
    later: ['git cherry-pick "$(git -C "$SOURCE" rev-parse "main@{1}")"'],
    expected: { ends: 'landed', main: { f: TEN, a: 'a\n', gone: 'gone\n', next: 'next\n' } },
  },
  {
    name: 'the amended commit and the work change the same line',
    base: { f: changed(5, 'before\n') },
    worker: [{ files: { f: changed(5, 'worker\n') } }],
    main: [`sed 's/^before$/main/' f > g; mv g f; git commit --quiet --all --amend -m Amended`],
    turns: [resolve({ f: changed(5, 'main\nworker\n') })],
    expected: { ends: 'landed', clashes: { f: 'content' }, main: { f: changed(5, 'main\nworker\n') } },
  },
  {
    name: 'main is replaced by a history that has no commit of the old one',
    base: { f: TEN, gone: 'gone\n' },
    worker: [{ files: WORK }],
    main: ['git checkout --quiet --orphan new; git rm --quiet --force gone; git commit --quiet -m New; git branch --quiet -M new main'],
    expected: { ends: 'landed', main: { f: TEN, a: 'a\n', gone: null } },
  },
  {
    name: 'work that main has in other words after it was rewritten leaves nothing to land',
    base: { gone: 'gone\n' },
    worker: [{ files: WORK }],
    main: ['git reset --quiet --hard HEAD~1; echo a > a; git add a; git commit --quiet -m "The same"'],
    expected: { ends: 'nothing-to-land' },
  },
];
