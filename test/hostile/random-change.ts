import fc from 'fast-check';

/** One entry of a commit. */
interface Entry {
  readonly path: string;
  readonly mode: '100644' | '100755' | '120000' | '160000' | 'delete';
  readonly content: Buffer;
}

export interface RandomChange {
  readonly entries: readonly Entry[];
  /** What the agent does to the clone, as shell scripts in its worktree. */
  readonly tricks: readonly string[];
  /** What the agent does between the review and the accept. */
  readonly later: string;
  /** Settings of the user's own repository. */
  readonly settings: readonly string[];
}

/** Some exist on main, some are hard to quote. */
const path = fc.constantFrom(
  ...['notes.txt', 'run.sh', 'src/app.txt', 'new.txt', 'dir/deep/file.c', 'with space', 'ünïcode', 'tab\there', 'line\nfeed', '-dash'],
  ...[':(top)magic', 'quote"d', 'back\\slash', 'UPPER.TXT', '.gitattributes', '.gitmodules', 'data.bin', 'a\u202eb', 'file.lfs'],
);

const LFS = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12\n`;
const text = fc.array(fc.constantFrom('one', 'two ', '\tthree', '', 'é', '$Id$', '--- a', '+++ b', '@@ -1 +1 @@', 'diff --git a/x b/x'), {
  maxLength: 8,
});
const content = fc.oneof(
  fc.tuple(text, fc.constantFrom('\n', '\r\n', '\r')).map(([lines, end]) => Buffer.from(lines.join(end) + end)),
  text.map((lines) => Buffer.from(lines.join('\n'))),
  text.map((lines) => Buffer.from(lines.join('\n'), 'latin1')),
  fc.uint8Array({ minLength: 0, maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom(LFS, '* -diff\n', '*.txt binary\n', '*.txt eol=crlf\n', '* filter=lfsish\n', '*.sh text\n*.c ident\n')
    .map((each) => Buffer.from(each)),
);
const mode = fc.constantFrom('100644', '100644', '100644', '100755', '120000', '160000', 'delete') satisfies fc.Arbitrary<Entry['mode']>;

/** The first new blob, its tree and its commit, in the place of which the reviewer would see main. */
const REPLACEMENTS = [
  `new=$(git diff-tree -r --no-renames --diff-filter=AM HEAD~1 HEAD | awk '$2 != "160000" { print $4; exit }')
    [ -z "$new" ] || git replace "$new" $(echo harmless | git hash-object -w --stdin)`,
  'git replace "HEAD^{tree}" "HEAD~1^{tree}"',
  'git replace HEAD HEAD~1',
];
const trick = fc.constantFrom(
  ...REPLACEMENTS,
  ...['* -diff', '* binary', '*.txt diff=evil', '* filter=evil', '* text eol=crlf', '* ident', '* export-ignore'].map(
    (line) => `mkdir -p "$GITDIR/info"; echo '${line}' >> "$GITDIR/info/attributes"`,
  ),
  ...[
    'diff.evil.textconv "echo harmless #"',
    'filter.evil.clean "tr a-z A-Z"',
    'filter.evil.smudge "tr a-z A-Z"',
    'core.autocrlf true',
  ].map((setting) => `git config ${setting}`),
  ...['core.bigFileThreshold 1', 'diff.ignoreSubmodules all', 'core.fileMode false', 'diff.noprefix true', 'core.quotePath false'].map(
    (setting) => `git config ${setting}`,
  ),
);
/** Half of the work stays as it was reviewed: only that can land. */
const later = fc.oneof(
  fc.constant(''),
  fc.constantFrom(
    ...['git commit --quiet --amend -m "Another message"', 'chmod +x notes.txt', 'echo "one " >> notes.txt', 'echo evil > evil.sh'],
    ...['printf "notes\\r\\n" > notes.txt', 'git rm --quiet --force run.sh', 'ln -sf /etc/passwd link'],
  ),
);
const setting = fc.constantFrom('core.autocrlf true', 'core.autocrlf input', 'filter.lfsish.clean cat', 'filter.lfsish.smudge cat');

export const randomChange: fc.Arbitrary<RandomChange> = fc.record({
  entries: fc.uniqueArray(fc.record({ path, mode, content }), { minLength: 1, maxLength: 6, selector: ({ path }) => path }),
  tricks: fc.uniqueArray(trick, { maxLength: 3 }),
  later,
  settings: fc.uniqueArray(setting, { maxLength: 2 }),
});

const UNTOUCHED = { tricks: [], later: '', settings: [] };
/** What lands in every run, whatever the random ones are: a changed file, and one that the tricks below must not hide. */
export const PLAIN_CHANGES: readonly RandomChange[] = [
  { ...UNTOUCHED, entries: [{ path: 'notes.txt', mode: '100644', content: Buffer.from('one\ntwo \n') }] },
  {
    ...UNTOUCHED,
    tricks: ['mkdir -p "$GITDIR/info"; echo \'* -diff\' >> "$GITDIR/info/attributes"'],
    entries: [{ path: 'dir/deep/file.c', mode: '100755', content: Buffer.from('--- a\n@@ -1 +1 @@') }],
  },
];

/** The commit as input of `git fast-import`. */
export function fastImport({ entries }: RandomChange, branch: string): Buffer {
  const head = `commit ${branch}\ncommitter Agent <agent@example.test> 1700000000 +0000\ndata 6\nRandom\nfrom ${branch}^0\n`;
  const quoted = (name: string) => `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
  const parts = entries.map(({ path, mode, content }): Buffer => {
    if (mode === 'delete') return Buffer.from(`D ${quoted(path)}\n`);
    if (mode === '160000') return Buffer.from(`M 160000 ${'1'.repeat(40)} ${quoted(path)}\n`);
    // A link needs a target that a file system takes.
    const bytes = mode === '120000' ? Buffer.from(`to-${content.toString('hex')}`) : content;
    return Buffer.concat([Buffer.from(`M ${mode} inline ${quoted(path)}\ndata ${bytes.length}\n`), bytes, Buffer.from('\n')]);
  });
  return Buffer.concat([Buffer.from(head), ...parts, Buffer.from('\n')]);
}
