import { resolve, type Scenario, stage, type Turn } from '../scenario.ts';
import { changed, crlf, TEN } from './texts.ts';

const BOTH = changed(5, 'main\nworker\n');
const BY_MAIN = changed(5, 'main\n');
const BY_WORKER = changed(5, 'worker\n');
const SAME_LINE = { base: { f: TEN }, worker: [{ files: { f: BY_WORKER } }], main: [{ files: { f: BY_MAIN } }] } as const;
const LANDED = { ends: 'landed', clashes: { f: 'content' }, main: { f: BOTH } } as const;
const repair: Turn = { files: { f: BOTH }, next: 'commit' };
const LEAVE: Turn = { next: 'leave' };

/** What agents do with a conflict, rightly and wrongly. */
export const OUTCOMES: readonly Scenario[] = [
  { ...SAME_LINE, name: 'review meets the conflict', by: 'review', turns: [resolve({ f: BOTH })], expected: LANDED },
  { ...SAME_LINE, name: 'llmc rebase meets the conflict', by: 'rebase', turns: [resolve({ f: BOTH })], expected: LANDED },
  { ...SAME_LINE, name: 'the patrol meets the conflict', by: 'patrol', turns: [resolve({ f: BOTH })], expected: LANDED },
  { ...SAME_LINE, name: 'the agent only stages, and llmc continues', turns: [stage({ f: BOTH })], expected: LANDED },
  {
    ...SAME_LINE,
    name: 'the agent edits without staging, is asked again, and stages',
    turns: [{ files: { f: BOTH }, next: 'leave' }, stage({ f: BOTH })],
    expected: LANDED,
  },
  {
    ...SAME_LINE,
    name: 'the agent commits in place of continuing',
    turns: [{ files: { f: BOTH }, next: 'commit' }],
    expected: LANDED,
  },
  {
    ...SAME_LINE,
    name: 'markers that were staged go back',
    turns: ['git add f', stage({ f: BOTH })],
    expected: LANDED,
  },
  {
    ...SAME_LINE,
    name: 'markers that were committed are a hard stop, and go back',
    turns: ['git add f; git rebase --continue', repair],
    expected: LANDED,
  },
  {
    ...SAME_LINE,
    name: 'a dropped line of main goes back once and comes back',
    turns: [resolve({ f: BY_WORKER }), repair],
    expected: LANDED,
  },
  {
    ...SAME_LINE,
    name: 'a line of main that stays dropped stops the accept',
    turns: [resolve({ f: BY_WORKER }), LEAVE],
    expected: {
      ends: 'refused',
      code: 'LINES_DROPPED',
      clashes: { f: 'content' },
      proof: { verdict: 'losses', dropped: ['main f: main'] },
    },
  },
  {
    ...SAME_LINE,
    name: 'a dropped line that a person allows lands',
    turns: [resolve({ f: BY_WORKER }), LEAVE],
    allowDropped: true,
    expected: { ...LANDED, main: { f: BY_WORKER }, proof: { verdict: 'losses', dropped: ['main f: main'] } },
  },
  {
    ...SAME_LINE,
    name: 'an empty result that stays empty stops the accept, also with the word of a person',
    turns: ['git rebase --skip', LEAVE],
    allowDropped: true,
    expected: {
      ends: 'refused',
      code: 'LINES_DROPPED',
      clashes: { f: 'content' },
      proof: { verdict: 'hard_stop', dropped: ['worker f: worker'], stops: ['empty_change'] },
    },
  },
  {
    ...SAME_LINE,
    name: 'a dropped line of the worker goes back once and comes back',
    worker: [{ files: { f: BY_WORKER, more: 'more\n' } }],
    turns: [resolve({ f: BY_MAIN }), repair],
    expected: LANDED,
  },
  {
    ...SAME_LINE,
    name: 'a trailer that names the dropped line explains it',
    turns: [
      `printf '${BY_WORKER.replaceAll('\n', '\\n')}' > f; git add f; git commit --quiet -m 'Change' -m 'Dropped: f: main'; git rebase --continue`,
    ],
    expected: { ...LANDED, main: { f: BY_WORKER }, proof: { verdict: 'altered', dropped: ['main f: main'] } },
  },
  {
    name: 'a line that main deleted comes back, and goes back',
    base: { f: TEN },
    worker: [{ files: { f: changed(5, 'worker\n') } }],
    main: [{ files: { f: changed(5, '', changed(4, 'main\n')) } }],
    turns: [
      resolve({ f: changed(4, 'main\nline 5\nworker\n', changed(5, '')) }),
      { files: { f: changed(4, 'main\nworker\n', changed(5, '')) }, next: 'commit' },
    ],
    expected: { ...LANDED, main: { f: changed(4, 'main\nworker\n', changed(5, '')) } },
  },
  {
    ...SAME_LINE,
    name: 'a file that the result emptied is a hard stop, and goes back',
    turns: [resolve({ f: '' }), repair],
    expected: LANDED,
  },
  {
    ...SAME_LINE,
    name: 'a file that the result lost is a hard stop, and goes back',
    base: { f: TEN, g: 'g\n' },
    turns: ['git rm --quiet --cached f; rm -f f; git rebase --continue || git rebase --skip', { files: { f: BOTH }, next: 'commit' }],
    expected: LANDED,
  },
  {
    ...SAME_LINE,
    name: 'a mode that no side changed is a hard stop, and goes back',
    turns: [resolve({ f: { program: BOTH } }), 'chmod 644 f; git commit --quiet --all -m Mode'],
    expected: LANDED,
  },
  {
    ...SAME_LINE,
    name: 'the agent skips its own commit: nothing of its change is left, and it goes back',
    turns: ['git rebase --skip', repair],
    expected: LANDED,
  },
  {
    ...SAME_LINE,
    name: 'a re-indented result is recognised',
    turns: [resolve({ f: BOTH.replaceAll(/^/gm, '  ').trimEnd().concat('\n') })],
    expected: {
      ...LANDED,
      main: { f: BOTH.replaceAll(/^/gm, '  ').trimEnd().concat('\n') },
      proof: { verdict: 'clean', notes: ['reindented f'] },
    },
  },
  {
    ...SAME_LINE,
    name: 'a result with other line ends is recognised',
    turns: [resolve({ f: crlf(BOTH) })],
    expected: { ...LANDED, main: { f: crlf(BOTH) }, proof: { verdict: 'altered', notes: ['line_endings f'] } },
  },
  {
    ...SAME_LINE,
    name: 'lines that moved to another file are recognised',
    worker: [{ files: { f: changed(5, 'worker one\nworker two\n') } }],
    turns: [resolve({ f: BY_MAIN, g: 'worker one\nworker two\n' })],
    expected: {
      ...LANDED,
      main: { f: BY_MAIN, g: 'worker one\nworker two\n' },
      proof: {
        verdict: 'altered',
        replaced: ['moved worker f: worker one', 'moved worker f: worker two'],
        notes: ['moved f'],
      },
    },
  },
  ...[true, false].map(
    (reviewed): Scenario => ({
      ...SAME_LINE,
      name: `main’s line as a comment ${reviewed ? 'lands after a review' : 'does not land without a review'}`,
      turns: [resolve({ f: changed(5, '# main\nworker\n') })],
      reviewed,
      expected: {
        ...(reviewed ? { ends: 'landed', main: { f: changed(5, '# main\nworker\n') } } : { ends: 'refused', code: 'LINES_REPLACED' }),
        clashes: { f: 'content' },
        proof: { verdict: 'altered', replaced: ['merged main f: main'] },
      },
    }),
  ),
  {
    ...SAME_LINE,
    name: 'main’s line in a dead branch does not land without a review',
    turns: [resolve({ f: changed(5, 'if False:\n    main\nworker\n') })],
    reviewed: false,
    expected: {
      ends: 'refused',
      code: 'LINES_REPLACED',
      clashes: { f: 'content' },
      proof: { verdict: 'altered', added: ['f: if False:'], notes: ['reindented f'] },
    },
  },
  {
    ...SAME_LINE,
    name: 'an edit of main’s new lines in a file that did not conflict is a loss, and goes back',
    base: { f: TEN, g: TEN },
    main: [{ files: { f: BY_MAIN, g: changed(3, 'guard of main\n') } }],
    turns: [resolve({ f: BOTH, g: changed(3, '# guard of main\n') }), LEAVE],
    expected: {
      ends: 'refused',
      code: 'LINES_DROPPED',
      clashes: { f: 'content' },
      proof: { verdict: 'losses', dropped: ['main g: guard of main'] },
    },
  },
  { ...SAME_LINE, name: 'the agent aborts', turns: [{ next: 'abort' }], expected: { ends: 'given-back', clashes: { f: 'content' } } },
  {
    ...SAME_LINE,
    name: 'the agent resets its branch in the middle to the commit from before',
    turns: ['git rebase --quit; git checkout --quiet --force llmc/adam'],
    expected: { ends: 'given-back', clashes: { f: 'content' } },
  },
  {
    ...SAME_LINE,
    name: 'the agent leaves the conflict three times: a person is called',
    turns: [LEAVE, LEAVE, LEAVE],
    expected: { ends: 'person', called: 'loop', clashes: { f: 'content' } },
  },
  {
    ...SAME_LINE,
    name: 'the agent writes steps of its own into git’s record: they are not performed',
    turns: [
      `echo 'exec touch "$SOURCE/pwned"' >> "$(git rev-parse --git-path rebase-merge/git-rebase-todo)"; printf '${BOTH.replaceAll('\n', '\\n')}' > f; git add f`,
    ],
    expected: { ...LANDED, main: { f: BOTH, pwned: null } },
  },
  {
    ...SAME_LINE,
    name: 'git’s record names a commit that is not the worker’s: a person is called',
    turns: ['git rev-parse HEAD > "$(git rev-parse --git-path rebase-merge/stopped-sha)"'],
    expected: { ends: 'person', called: 'tampered', clashes: { f: 'content' } },
  },
  {
    ...SAME_LINE,
    name: 'a validation that fails after the rebase goes back, and is repaired',
    config: 'validate = ["test -f checked"]',
    turns: [resolve({ f: BOTH }), { files: { checked: 'yes\n' }, next: 'commit' }],
    expected: {
      ...LANDED,
      main: { f: BOTH, checked: 'yes\n' },
      proof: { verdict: 'altered', notes: ['file_added checked'] },
    },
  },
  {
    ...SAME_LINE,
    name: 'a validation that fails three times calls a person',
    config: 'validate = ["false"]',
    turns: [resolve({ f: BOTH }), LEAVE, LEAVE],
    expected: { ends: 'person', called: 'validation', clashes: { f: 'content' } },
  },
  {
    ...SAME_LINE,
    name: 'a rule takes main’s version of a generated file, and the agent resolves the rest',
    config: '[[repo.conflicts]]\nfiles = "x.lock"\nrule = "main"',
    base: { f: TEN, 'x.lock': 'base\n' },
    worker: [{ files: { f: BY_WORKER, 'x.lock': 'worker\n' } }],
    main: [{ files: { f: BY_MAIN, 'x.lock': 'main\n' } }],
    turns: [resolve({ f: BOTH })],
    expected: {
      ends: 'landed',
      clashes: { f: 'content', 'x.lock': 'content' },
      main: { f: BOTH, 'x.lock': 'main\n' },
      proof: { verdict: 'clean', notes: ['by_rule x.lock'] },
    },
  },
  {
    name: 'a rule makes a generated file again, and no one is asked',
    config: '[[repo.conflicts]]\nfiles = "x.lock"\nrule = "regenerate"\ncommand = "cat a b > x.lock"',
    base: { 'x.lock': 'base\n' },
    worker: [{ files: { a: 'a\n', 'x.lock': 'worker\n' } }],
    main: [{ files: { b: 'b\n', 'x.lock': 'main\n' } }],
    expected: { ends: 'landed', main: { 'x.lock': 'a\nb\n' }, proof: { verdict: 'clean', notes: ['by_rule x.lock'] } },
  },
];
