import { resolve, type Scenario, stage } from '../scenario.ts';
import { changed, crlf, TEN } from './texts.ts';

const BOTH = changed(5, 'main\nworker\n');
const BY_MAIN = changed(5, 'main\n');
const BY_WORKER = changed(5, 'worker\n');
/** Both sides changed the same line. */
const SAME_LINE = { base: { f: TEN }, worker: [{ files: { f: BY_WORKER } }], main: [{ files: { f: BY_MAIN } }] } as const;
const CONTENT = { f: 'content' } as const;

/** How the commits came about, on both sides. */
export const HISTORIES: readonly Scenario[] = [
  {
    name: 'three commits, of which the second conflicts',
    base: { f: TEN },
    worker: [{ files: { a: 'a\n' } }, { files: { f: BY_WORKER } }, { files: { b: 'b\n' } }],
    main: [{ files: { f: BY_MAIN } }],
    turns: [resolve({ f: BOTH })],
    expected: { ends: 'landed', clashes: CONTENT, main: { f: BOTH, a: 'a\n', b: 'b\n' } },
  },
  {
    name: 'two commits that conflict one after the other, each with its own prompt',
    base: { f: TEN, g: TEN },
    worker: [
      { subject: 'One', files: { f: BY_WORKER } },
      { subject: 'Two', files: { g: changed(2, 'other worker\n') } },
    ],
    main: [{ files: { f: BY_MAIN, g: changed(2, 'other main\n') } }],
    turns: [resolve({ f: BOTH }), resolve({ g: changed(2, 'other main\nother worker\n') })],
    expected: { ends: 'landed', clashes: CONTENT, main: { f: BOTH, g: changed(2, 'other main\nother worker\n') } },
  },
  {
    name: 'two commits with the same conflict in two files: rerere resolves the second like the first',
    base: { f: TEN, g: TEN },
    worker: [
      { subject: 'One', files: { f: BY_WORKER } },
      { subject: 'Two', files: { g: BY_WORKER } },
    ],
    main: [{ files: { f: BY_MAIN, g: BY_MAIN } }],
    turns: [resolve({ f: BOTH })],
    expected: { ends: 'landed', clashes: CONTENT, main: { f: BOTH, g: BOTH } },
  },
  {
    name: 'three commits to the same line, each staged by the agent and continued by llmc',
    base: { f: TEN },
    worker: ['1', '2', '3'].map((digit) => ({ files: { f: changed(5, `worker ${digit}\n`) } })),
    main: [{ files: { f: BY_MAIN } }],
    turns: ['1', '2', '3'].map((digit) => stage({ f: changed(5, `main\nworker ${digit}\n`) })),
    expected: { ends: 'landed', clashes: CONTENT, main: { f: changed(5, 'main\nworker 3\n') } },
  },
  {
    name: 'a commit that a later one took back, so that only the steps between conflict',
    base: { f: TEN },
    worker: [{ files: { f: BY_WORKER } }, { files: { f: TEN, a: 'a\n' } }],
    main: [{ files: { f: BY_MAIN } }],
    turns: [resolve({ f: BOTH }), resolve({ f: BY_MAIN })],
    expected: { ends: 'landed', clashes: CONTENT, main: { f: BY_MAIN, a: 'a\n' } },
  },
  {
    name: 'the worker merged main itself, and resolved the conflict there',
    ...SAME_LINE,
    later: [
      `git fetch --quiet origin; git merge --quiet origin/main || true; printf '${escaped(BOTH)}' > f; git commit --quiet --all -m Merge`,
    ],
    expected: { ends: 'landed', main: { f: BOTH } },
  },
  {
    name: 'the worker merged an older main, and then main moved on',
    base: { f: TEN },
    worker: [
      { files: { f: BY_WORKER } },
      `(cd "$SOURCE"; echo early > early; git add early; git commit --quiet -m Early)
       git fetch --quiet origin; git merge --quiet --no-edit origin/main`,
    ],
    main: [{ files: { f: BY_MAIN } }],
    turns: [resolve({ f: BOTH })],
    expected: { ends: 'landed', clashes: CONTENT, main: { f: BOTH, early: 'early\n' } },
  },
  {
    name: 'the worker merged a branch of its own',
    base: { f: TEN },
    worker: [
      `git checkout --quiet -b topic; echo a > a; git add a; git commit --quiet -m Topic; git checkout --quiet llmc/adam
       echo b > b; git add b; git commit --quiet -m Other; git merge --quiet --no-ff --no-edit topic; git branch --quiet -d topic`,
      { files: { f: BY_WORKER } },
    ],
    main: [{ files: { f: BY_MAIN } }],
    turns: [resolve({ f: BOTH })],
    expected: { ends: 'landed', clashes: CONTENT, main: { f: BOTH, a: 'a\n', b: 'b\n' } },
  },
  {
    name: 'main renamed a folder, and the worker changed a file in it: git follows without a conflict',
    base: { 'old/f': TEN, 'old/g': TEN.replaceAll('line', 'other') },
    worker: [{ files: { 'old/f': BY_WORKER } }],
    main: [{ rename: { old: 'new' } }],
    expected: { ends: 'landed', main: { 'new/f': BY_WORKER, 'old/f': null, 'old/g': null } },
  },
  {
    name: 'the worker renamed a folder, and main changed a line in it that the worker changed too',
    base: { 'old/f': TEN, 'old/g': TEN.replaceAll('line', 'other') },
    worker: [{ rename: { old: 'new' } }, { files: { 'new/f': BY_WORKER } }],
    main: [{ files: { 'old/f': BY_MAIN } }],
    turns: [resolve({ 'new/f': BOTH })],
    expected: {
      ends: 'landed',
      clashes: { 'new/f': 'content' },
      main: { 'new/f': BOTH, 'old/f': null, 'new/g': TEN.replaceAll('line', 'other') },
    },
  },
  {
    name: 'a file with CR LF: the result keeps them',
    base: { f: crlf(TEN) },
    worker: [{ files: { f: crlf(BY_WORKER) } }],
    main: [{ files: { f: crlf(BY_MAIN) } }],
    turns: [resolve({ f: crlf(BOTH) })],
    expected: { ends: 'landed', clashes: CONTENT, main: { f: crlf(BOTH) } },
  },
  {
    name: 'main changed the file to CR LF, and the result has them with the line of the worker',
    base: { f: TEN },
    worker: [{ files: { f: BY_WORKER } }],
    main: [{ files: { f: crlf(TEN) } }],
    turns: [resolve({ f: crlf(BY_WORKER) })],
    expected: { ends: 'landed', clashes: CONTENT, main: { f: crlf(BY_WORKER) } },
  },
  {
    name: 'CR LF of the checkout only (core.autocrlf): main has line feeds',
    begin: 'git config core.autocrlf input',
    base: { f: TEN },
    worker: [{ files: { f: BY_WORKER } }],
    main: [{ files: { f: BY_MAIN } }],
    turns: [resolve({ f: crlf(BOTH) })],
    expected: { ends: 'landed', clashes: CONTENT, main: { f: BOTH } },
  },
  {
    name: 'a binary file that only one side changed lands beside a conflict',
    base: { f: TEN, b: new Uint8Array([0, 1]) },
    worker: [{ files: { f: BY_WORKER, b: new Uint8Array([0, 255, 13, 10]) } }],
    main: [{ files: { f: BY_MAIN } }],
    turns: [resolve({ f: BOTH })],
    expected: { ends: 'landed', clashes: CONTENT, main: { f: BOTH, b: new Uint8Array([0, 255, 13, 10]) } },
  },
  {
    name: 'names with spaces, umlauts, quotes, a line feed and a leading dash',
    base: { 'ä b/日 "x".txt': TEN, '-f': TEN, 'a\nb': TEN, ':(top)x': TEN },
    worker: [{ files: { 'ä b/日 "x".txt': BY_WORKER, '-f': BY_WORKER, 'a\nb': BY_WORKER, ':(top)x': BY_WORKER } }],
    main: [{ files: { 'ä b/日 "x".txt': BY_MAIN, '-f': BY_MAIN, 'a\nb': BY_MAIN, ':(top)x': BY_MAIN } }],
    turns: [resolve({ 'ä b/日 "x".txt': BOTH, '-f': BOTH, 'a\nb': BOTH, ':(top)x': BOTH })],
    expected: {
      ends: 'landed',
      clashes: { 'ä b/日 "x".txt': 'content', '-f': 'content', 'a\nb': 'content', ':(top)x': 'content' },
      main: { 'ä b/日 "x".txt': BOTH, '-f': BOTH, 'a\nb': BOTH, ':(top)x': BOTH },
    },
  },
  {
    name: 'a last line without a line feed on one side',
    base: { f: 'one\ntwo' },
    worker: [{ files: { f: 'one\ntwo\nworker' } }],
    main: [{ files: { f: 'one\ntwo\nmain\n' } }],
    turns: [resolve({ f: 'one\ntwo\nmain\nworker\n' })],
    expected: { ends: 'landed', clashes: CONTENT, main: { f: 'one\ntwo\nmain\nworker\n' } },
  },
  {
    name: 'the same change is on main already: there is nothing to land',
    base: { f: TEN },
    worker: [{ subject: 'By the worker', files: { f: BY_MAIN } }],
    main: [{ subject: 'By a person', files: { f: BY_MAIN } }],
    expected: { ends: 'nothing-to-land' },
  },
  {
    name: 'commits that cancel each other: there is nothing to land',
    base: { f: TEN },
    worker: [{ files: { f: BY_WORKER } }, { files: { f: TEN } }],
    main: [{ files: { g: 'g\n' } }],
    expected: { ends: 'nothing-to-land' },
  },
  {
    name: 'the worker reset its branch to main: there is nothing to land',
    ...SAME_LINE,
    later: ['git fetch --quiet origin; git reset --quiet --hard origin/main'],
    expected: { ends: 'nothing-to-land' },
  },
  {
    name: 'the worker amended its commit and it no longer conflicts',
    ...SAME_LINE,
    later: [`printf '${escaped(changed(1, 'worker\n'))}' > f; git commit --quiet --all --amend -m Amended`],
    expected: { ends: 'landed', main: { f: changed(1, 'worker\n', BY_MAIN) } },
  },
  {
    name: 'main was moved back to an earlier commit, and the work built on the later one',
    base: { f: TEN },
    worker: [
      '(cd "$SOURCE"; echo gone > gone; git add gone; git commit --quiet -m Gone); git fetch --quiet origin; git reset --quiet --hard origin/main',
      { files: { f: BY_WORKER } },
    ],
    main: ['git reset --quiet --hard HEAD~1', { files: { f: BY_MAIN } }],
    turns: [resolve({ f: BOTH })],
    expected: { ends: 'landed', clashes: CONTENT, main: { f: BOTH, gone: 'gone\n' } },
  },
  {
    name: 'main was moved to a rewritten commit, without a conflict',
    base: { f: TEN },
    worker: [{ files: { a: 'a\n' } }],
    main: ['echo more > more; git add more; git commit --quiet --amend -m Rewritten'],
    expected: { ends: 'landed', main: { f: TEN, a: 'a\n', more: 'more\n' } },
  },
  {
    name: 'main was moved to a rewritten commit, which conflicts with the one that the work is built on',
    base: { f: TEN },
    worker: [{ files: { a: 'a\n' } }],
    main: [`printf '${escaped(BY_MAIN)}' > f; git commit --quiet --all --amend -m Rewritten`],
    turns: [resolve({ f: BY_MAIN }), "git commit --quiet --allow-empty -m Explain -m 'Dropped: f: line 5'"],
    expected: {
      ends: 'landed',
      clashes: { f: 'add/add' },
      main: { f: BY_MAIN, a: 'a\n' },
      // For git, the worker has the line from the commit that main no longer has.
      proof: { verdict: 'altered', dropped: ['worker f: line 5'] },
    },
  },
  {
    name: 'rerere: a conflict that was resolved before is resolved again without the agent',
    base: { f: TEN },
    worker: [{ files: { f: BY_WORKER } }],
    main: [{ files: { f: BY_MAIN } }],
    later: [
      `git fetch --quiet origin; git config rerere.enabled true; git merge --quiet origin/main || true
       printf '${escaped(BOTH)}' > f; git commit --quiet --all -m Merge; git reset --quiet --hard HEAD~1`,
    ],
    expected: { ends: 'landed', main: { f: BOTH } },
  },
  {
    name: 'rerere: a resolution that drops a line of main is proven like any other, and goes back',
    base: { f: TEN },
    worker: [{ files: { f: BY_WORKER } }],
    main: [{ files: { f: BY_MAIN } }],
    later: [
      `git fetch --quiet origin; git config rerere.enabled true; git merge --quiet origin/main || true
       printf '${escaped(BY_WORKER)}' > f; git commit --quiet --all -m Merge; git reset --quiet --hard HEAD~1`,
    ],
    turns: [{ files: { f: BOTH }, next: 'commit' }],
    expected: { ends: 'landed', main: { f: BOTH } },
  },
  {
    name: 'an empty commit of the worker beside one that conflicts',
    base: { f: TEN },
    worker: ['git commit --quiet --allow-empty -m Empty', { files: { f: BY_WORKER } }],
    main: [{ files: { f: BY_MAIN } }],
    turns: [resolve({ f: BOTH })],
    expected: { ends: 'landed', clashes: CONTENT, main: { f: BOTH } },
  },
  {
    name: 'conflicts in .gitignore and .gitattributes',
    base: { '.gitattributes': '*.a text\n' },
    worker: [{ files: { '.gitignore': 'ignored/\nworker/\n', '.gitattributes': '*.a text\n*.w text\n' } }],
    main: [{ files: { '.gitignore': 'ignored/\nmain/\n', '.gitattributes': '*.a text\n*.m text\n' } }],
    turns: [resolve({ '.gitignore': 'ignored/\nmain/\nworker/\n', '.gitattributes': '*.a text\n*.m text\n*.w text\n' })],
    expected: {
      ends: 'landed',
      clashes: { '.gitignore': 'content', '.gitattributes': 'content' },
      main: { '.gitignore': 'ignored/\nmain/\nworker/\n', '.gitattributes': '*.a text\n*.m text\n*.w text\n' },
    },
  },
  {
    name: 'a conflict of 10,000 lines',
    base: { f: 'begin\nend\n' },
    worker: [{ files: { f: `begin\n${lines('worker')}end\n` } }],
    main: [{ files: { f: `begin\n${lines('main')}end\n` } }],
    turns: [resolve({ f: `begin\n${lines('main')}${lines('worker')}end\n` })],
    expected: { ends: 'landed', clashes: CONTENT, main: { f: `begin\n${lines('main')}${lines('worker')}end\n` } },
  },
];

function lines(word: string): string {
  return Array.from({ length: 10_000 }, (_, index) => `${word} ${index}\n`).join('');
}

/** For printf in single quotes. */
function escaped(text: string): string {
  return text.replaceAll('\n', '\\n');
}
