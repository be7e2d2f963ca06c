import { createHash } from 'node:crypto';
import { resolve, type Scenario } from '../scenario.ts';
import { changed, TEN } from './texts.ts';

const ATTRIBUTES = '*.bin filter=lfs diff=lfs merge=lfs -text\n';
const LFS = { begin: 'git lfs install --local > /dev/null', situation: 'clean' } as const;
const LIB = `git init --quiet --initial-branch=main "$LIB"; cd "$LIB"; git config user.name Lib; git config user.email lib@example.test
  for number in 1 2 3 4; do echo $number > lib.txt; git add lib.txt; git commit --quiet -m "Lib $number"; git tag v$number; done; cd "$OLDPWD"
  git -c protocol.file.allow=always submodule --quiet add "$LIB" lib; git -C lib checkout --quiet v1; git add --all`;
/** The submodule of the checkout at another of its commits. */
const move = (tag: string) =>
  `git -c protocol.file.allow=always submodule --quiet update --init; git -C lib checkout --quiet ${tag}; git add lib; git commit --quiet -m "Lib ${tag}"`;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const BOTH = changed(5, 'main\nworker\n');

/** Files whose content git keeps elsewhere: git-lfs and submodules. */
export const STORES: readonly Scenario[] = [
  {
    ...LFS,
    name: 'git-lfs: a file of the worker lands with its content',
    base: { '.gitattributes': ATTRIBUTES, 'a.bin': 'base\n' },
    worker: [{ files: { 'a.bin': 'worker\n', 'new.bin': 'new\n' } }],
    main: [{ files: { 'b.bin': 'main\n' } }],
    expected: { ends: 'landed', main: { 'a.bin': 'worker\n', 'new.bin': 'new\n', 'b.bin': 'main\n' } },
  },
  {
    ...LFS,
    name: 'git-lfs: both sides changed the file, and the result has the worker’s',
    base: { '.gitattributes': ATTRIBUTES, 'a.bin': 'base\n' },
    worker: [{ files: { 'a.bin': 'by the worker\n' } }],
    main: [{ files: { 'a.bin': 'by main, longer\n' } }],
    turns: [resolve({ 'a.bin': 'by the worker\n' })],
    expected: {
      ends: 'landed',
      clashes: { 'a.bin': 'content' },
      main: { 'a.bin': 'by the worker\n' },
      // git has a text of three lines in place of the file.
      proof: {
        verdict: 'altered',
        replaced: [`chosen main a.bin: oid sha256:${sha256('by main, longer\n')}`, 'chosen main a.bin: size 16'],
      },
    },
  },
  {
    ...LFS,
    name: 'git-lfs: a file lands beside a conflict in a text',
    base: { '.gitattributes': ATTRIBUTES, f: TEN },
    worker: [{ files: { f: changed(5, 'worker\n'), 'a.bin': 'worker\n' } }],
    main: [{ files: { f: changed(5, 'main\n'), 'b.bin': 'main\n' } }],
    turns: [resolve({ f: BOTH })],
    expected: { ends: 'landed', clashes: { f: 'content' }, main: { f: BOTH, 'a.bin': 'worker\n', 'b.bin': 'main\n' } },
  },
  {
    name: 'submodule: the worker moved it, and main did not',
    begin: LIB,
    worker: [move('v2')],
    main: [{ files: { a: 'a\n' } }],
    expected: { ends: 'landed', main: { a: 'a\n' }, links: { lib: 'v2' } },
  },
  {
    name: 'submodule: main moved it, and the worker’s follows',
    begin: LIB,
    worker: [{ files: { a: 'a\n' } }],
    main: [move('v2')],
    expected: { ends: 'landed', main: { a: 'a\n' }, links: { lib: 'v2' } },
  },
  {
    name: 'submodule: both sides moved it, and the result has the newer commit',
    begin: LIB,
    worker: [move('v3'), { files: { a: 'a\n' } }],
    main: [
      `git -C "$LIB" checkout --quiet -b side v1; git -C "$LIB" commit --quiet --allow-empty -m Side; git -C "$LIB" tag side1
      git -C lib fetch --quiet --tags; ${move('side1')}`,
    ],
    turns: ['git -C lib checkout --quiet v3; git add lib; git rebase --continue'],
    expected: {
      ends: 'landed',
      clashes: { lib: 'submodule' },
      main: { a: 'a\n' },
      links: { lib: 'v3' },
      proof: { verdict: 'altered', notes: ['file_chosen lib'] },
    },
  },
  {
    name: 'submodule: a commit that its remote does not have is refused',
    begin: LIB,
    worker: [
      `${move('v2')}; git -C lib config user.name A; git -C lib config user.email a@example.test
       git -C lib commit --quiet --allow-empty -m Private; git add lib; git commit --quiet -m Private`,
    ],
    main: [{ files: { a: 'a\n' } }],
    expected: { ends: 'refused', code: 'LANDING_REFUSED' },
  },
  {
    name: 'submodule: the worker replaced it by files',
    begin: LIB,
    worker: [
      'git rm --quiet --cached lib; rm -rf lib; mkdir lib; echo own > lib/own.txt; git rm --quiet --force .gitmodules; git add --all; git commit --quiet -m Own',
    ],
    main: [{ files: { a: 'a\n' } }],
    expected: { ends: 'landed', main: { a: 'a\n', 'lib/own.txt': 'own\n', '.gitmodules': null } },
  },
];
