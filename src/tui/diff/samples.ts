import type { Line, Size } from '../screen/line.ts';
import { type DiffView, openDiff } from './diff-view.ts';
import type { ShownReview } from './shown-work.ts';
import { updateDiff } from './update-diff.ts';

/** Work for tests: nothing remarkable but what a test gives. */
export function sampleWork(parts: Partial<ShownReview> = {}): ShownReview {
  return {
    kind: 'work',
    answer: null,
    ignores_whitespace: false,
    worker: 'adam',
    attention: null,
    attention_kind: null,
    uncommitted: [],
    proof: null,
    rescue: null,
    validation: null,
    validation_commands: 0,
    conflicts: [],
    not_compared: [],
    chosen_place: null,
    run_branch: null,
    warnings: [],
    since: null,
    agent_message: 'Fix the greeting\n\nIt was misspelt.',
    message_edit: 'none',
    message: 'Fix the greeting\n\nIt was misspelt.',
    author: 'Ada <ada@example.com>',
    task: 'Fix the greeting',
    summary: null,
    commits: [{ commit: 'a'.repeat(40), subject: 'Fix the greeting' }],
    files: [],
    formatted: null,
    diff: '',
    ...parts,
  };
}

export const SAMPLE_DIFF = `diff --git a/src/a.ts b/src/a.ts
index 1111111..2222222 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,4 +1,4 @@ function greet
 const before = 1;
-const greeting = 'helo';
+const greeting = 'hello';
 // the end
-export {};
\\ No newline at end of file
+export { greeting };
\\ No newline at end of file
diff --git a/src/gone.ts b/src/gone.ts
deleted file mode 100644
index 1111111..0000000
--- a/src/gone.ts
+++ /dev/null
@@ -1,2 +0,0 @@
-one
-two
`;

const SAMPLE_FILE = { binary: false, before: null, after: null };
const SAMPLE_FILES = [
  { ...SAMPLE_FILE, path: 'src/a.ts', status: 'M', added: 2, removed: 2 },
  { ...SAMPLE_FILE, path: 'src/gone.ts', status: 'D', added: 0, removed: 2 },
];

export const sampleDiff = (parts: Partial<ShownReview> = {}): DiffView =>
  openDiff(sampleWork({ diff: SAMPLE_DIFF, files: SAMPLE_FILES, ...parts }));

export const toPlainLines = (lines: readonly Line[]): readonly string[] =>
  lines.map((line) =>
    line
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  );

/** The pane after these keys. */
export function pressed(diff: DiffView, keys: readonly string[], size: Size): DiffView {
  return keys.reduce((before, key) => updateDiff(before, { kind: 'key', key }, size).diff, diff);
}
