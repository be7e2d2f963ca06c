import { resolve, type Scenario } from '../scenario.ts';
import type { Situation } from '../situation.ts';
import { changed, TEN } from './texts.ts';

const SITUATIONS: Readonly<Record<Situation, string>> = {
  clean: 'main is checked out',
  dirty: 'main is checked out with edits of the user',
  'other-branch': 'another branch is checked out with edits of the user',
  detached: 'HEAD is detached',
  bare: 'the source is bare',
  linked: 'main is checked out in a linked worktree',
  clone: 'the source is a clone of a remote',
};

const BOTH = changed(5, 'main\nworker\n');

function inEvery([situation, words]: [Situation, string]): readonly Scenario[] {
  return [
    {
      name: `${words}: work without a conflict lands on a main that moved`,
      situation,
      base: { f: TEN },
      worker: [{ files: { f: changed(2, 'worker\n'), 'new/file': 'new\n' } }],
      main: [{ files: { f: changed(9, 'main\n') } }],
      expected: { ends: 'landed', main: { f: changed(2, 'worker\n', changed(9, 'main\n')), 'new/file': 'new\n' } },
    },
    {
      name: `${words}: a resolved conflict lands`,
      situation,
      base: { f: TEN },
      worker: [{ files: { f: changed(5, 'worker\n') } }],
      main: [{ files: { f: changed(5, 'main\n') } }],
      turns: [resolve({ f: BOTH })],
      expected: { ends: 'landed', clashes: { f: 'content' }, main: { f: BOTH } },
    },
    {
      name: `${words}: a rebase that the agent gave up changes nothing`,
      situation,
      base: { f: TEN },
      worker: [{ files: { f: changed(5, 'worker\n') } }],
      main: [{ files: { f: changed(5, 'main\n') } }],
      turns: [{ next: 'abort' }],
      expected: { ends: 'given-back', clashes: { f: 'content' } },
    },
  ];
}

/** Resolved, but the checkout of the user stands in the way. */
const resolved = {
  base: { f: TEN },
  worker: [{ files: { f: changed(5, 'worker\n'), 'new.txt': 'new\n', 'ignored/new': 'new\n' } }],
  main: [{ files: { f: changed(5, 'main\n') } }],
  turns: [resolve({ f: BOTH })],
} as const;

const REFUSED = { ends: 'refused', code: 'LANDING_REFUSED', attention: 'not_landed', clashes: { f: 'content' } } as const;

export const SOURCES: readonly Scenario[] = [
  ...(Object.entries(SITUATIONS) as [Situation, string][]).flatMap(inEvery),
  {
    ...resolved,
    name: 'an edit of the user in a landed file is kept, and the landing refused',
    inTheWay: { f: 'mine\n' },
    expected: REFUSED,
  },
  {
    ...resolved,
    name: 'an untracked file in the way is kept, and the landing refused',
    inTheWay: { 'new.txt': 'mine\n' },
    expected: REFUSED,
  },
  {
    ...resolved,
    name: 'an ignored file in the way is kept, and the landing refused',
    worker: [
      { files: { f: changed(5, 'worker\n') } },
      'mkdir ignored; echo new > ignored/new; git add --force ignored/new; git commit --quiet -m More',
    ],
    inTheWay: { 'ignored/new': 'mine\n' },
    expected: REFUSED,
  },
  {
    ...resolved,
    name: 'a merge of the user in progress is left alone, and the landing refused',
    main: [
      { files: { f: changed(5, 'main\n') } },
      `git checkout --quiet -b theirs HEAD~1; echo theirs > own.txt; git commit --quiet --all -m Theirs; git checkout --quiet main
       echo ours > own.txt; git commit --quiet --all -m Ours`,
    ],
    userDoes: 'git merge --quiet theirs || true',
    expected: REFUSED,
  },
  {
    ...resolved,
    name: 'a hook of a bare source that says no is heard',
    situation: 'bare',
    userDoes: 'printf "#!/bin/sh\\nexit 1\\n" > hooks/update; chmod +x hooks/update',
    expected: REFUSED,
  },
];
