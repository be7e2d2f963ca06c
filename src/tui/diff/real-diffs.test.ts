import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scratchRepo } from '../../../test/support/scratch-repo.ts';
import { measureWidth } from '../../base/text-width.ts';
import type { ChangedFile } from '../../git/changed-files.ts';
import { type Change, readChange, wholeDiff } from '../../git/diff.ts';
import { checkPlaces } from '../../workers/review/check-places.ts';
import { toNotes, withComment } from './comments/notes.ts';
import { type DiffView, openDiff } from './diff-view.ts';
import { drawDiff } from './draw/draw-diff.ts';
import { makeFrame } from './draw/frame.ts';
import { countRowLines, drawRow } from './draw/row.ts';
import { sampleWork } from './samples.ts';
import { updateDiff } from './update-diff.ts';

const reviewed = ({ path, status, added, removed, binary }: ChangedFile) => ({
  path,
  status,
  added,
  removed,
  binary,
  before: null,
  after: null,
});

const opened = (change: Change): DiffView => openDiff(sampleWork({ diff: wholeDiff(change), files: change.files.map(reviewed) }));

const line = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'b',
    'c',
    'd',
    '--- a/x',
    '+++ b/x',
    '@@ -1 +1 @@',
    'diff --git a/x b/x',
    '\\ No newline at end of file',
    '\ttab\r',
    'x'.repeat(3_000),
  ),
  fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.replaceAll(/[\n\0\ud800-\udfff]/g, '?')),
  fc.constantFrom('/* open', '👩‍💻 漢字 \u202e', '\u001b[31mred', 'é\u0301\u0301', '｜ｗｉｄｅ'),
);
const content = fc.tuple(fc.array(line, { maxLength: 30 }), fc.boolean()).map(([lines, ends]) => lines.join('\n') + (ends ? '\n' : ''));
const name = fc.constantFrom(
  'a.ts',
  'b/a.ts',
  'a/b.py',
  'dir/sub/deep/x.c',
  'with blank',
  'ä"q\t.rs',
  'größe "neu".rs',
  'b/b/x',
  'x',
  'z.sh',
  'bin\u202e.md',
);
const tree = fc.dictionary(name, fc.oneof(content, fc.constant('\0binary')), { maxKeys: 8 });
const size = fc.record({ columns: fc.integer({ min: 20, max: 300 }), rows: fc.integer({ min: 5, max: 100 }) });
const key = fc.constantFrom(
  'j',
  'k',
  'J',
  'K',
  'N',
  'P',
  'ctrl+d',
  'ctrl+u',
  'page-down',
  'page-up',
  'g',
  'G',
  's',
  'z',
  'left',
  'right',
  'v',
  'c',
  'x',
  'f',
  'enter',
  'o',
  'escape',
);

/** Every diff that git makes can be opened; a file cannot also be a folder. */
const isTree = (files: object): boolean =>
  Object.keys(files).every((file) => !Object.keys(files).some((other) => other.startsWith(`${file}/`)));

test('each changed line of a diff that git makes is an entry exactly once, and reject accepts a comment on each', async () => {
  await using repo = await scratchRepo({ files: {} });
  await fc.assert(
    fc.asyncProperty(tree.filter(isTree), tree.filter(isTree), fc.constantFrom('3', '0'), async (before, after, context) => {
      const change = await changed(repo, before, after, context);
      const diff = opened(change);
      expect(diff.files.map(({ path }) => path)).toEqual(change.files.map(({ path }) => path));
      for (const file of diff.files) {
        const listed = change.files.find(({ path }) => path === file.path);
        const count = (sign: string) =>
          diff.entries.filter((entry) => entry.kind === 'line' && entry.file === file && entry.line.sign === sign).length;
        expect([count('+'), count('-')]).toEqual([listed?.added, listed?.removed]);
      }
      checkPlaces('adam', change, toNotes(everywhereCommented(diff)));
    }),
    { numRuns: 12 },
  );
});

test('a diff that git makes is drawn at any size after any keys, and no line is too wide', async () => {
  await using repo = await scratchRepo({ files: {} });
  await fc.assert(
    fc.asyncProperty(
      tree.filter(isTree),
      tree.filter(isTree),
      fc.array(fc.tuple(size, fc.array(key, { maxLength: 12 })), { minLength: 8, maxLength: 8 }),
      async (before, after, steps) => {
        let diff = opened(await changed(repo, before, after, '3'));
        for (const [at, keys] of steps)
          for (const pressed of keys) {
            const next = updateDiff(diff, { kind: 'key', key: pressed }, at);
            diff = next.wish?.kind === 'comment' ? withComment(numbered(next.diff), 'A comment 漢字\nof two lines') : next.diff;
            const frame = makeFrame(diff, at);
            const row = frame.all.rowOf(diff.cursor);
            if (diff.entries.length > 0) expect(countRowLines(diff, frame, row)).toBe(drawRow(diff, frame, row).length);
            const lines = drawDiff(diff, at);
            expect(lines).toHaveLength(at.rows);
            for (const drawn of lines) {
              const text = drawn.map((span) => span.text).join('');
              expect(measureWidth(text)).toBeLessThanOrEqual(at.columns);
              expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
            }
          }
      },
    ),
    { numRuns: 8 },
  );
});

let made = 0;

/** The view gives each comment an id. */
function numbered(diff: DiffView): DiffView {
  made += 1;
  return { ...diff, asked: diff.asked && { ...diff.asked, id: diff.asked.id || String(made) } };
}

/** A comment on every entry. */
function everywhereCommented(diff: DiffView): DiffView {
  const at = { columns: 100, rows: 30 };
  let view = diff;
  for (const cursor of diff.entries.keys()) {
    const { diff: asked, wish } = updateDiff({ ...view, cursor }, { kind: 'key', key: 'c' }, at);
    view = wish?.kind === 'comment' ? withComment(numbered(asked), 'Why?') : asked;
  }
  return view;
}

type Repo = Awaited<ReturnType<typeof scratchRepo>>;

/** Two commits with these files, one after the other, and the change between them. */
async function changed(repo: Repo, before: Record<string, string>, after: Record<string, string>, context: string): Promise<Change> {
  const commit = async (files: Record<string, string>) => {
    await repo.run(['rm', '-rfq', '--ignore-unmatch', '.']);
    return await repo.commit('A tree', files);
  };
  const [base, tip] = [await commit(before), await commit(after)];
  await repo.write('.gitconfig', `[diff]\n\tcontext = ${context}\n`, repo.home);
  return await readChange(repo.git, repo.path, base, tip);
}
