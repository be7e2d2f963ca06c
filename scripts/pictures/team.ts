import type { WorkerReport } from '../../src/supervisor/report/status-report.ts';
import { sampleWork } from '../../src/tui/diff/samples.ts';
import type { ShownReview } from '../../src/tui/diff/shown-work.ts';
import { aReport, aRun, asking, aWorkerReport, NOW, toReview } from '../../src/tui/samples.ts';

const ago = (seconds: number): Pick<WorkerReport, 'last_activity_unix'> => ({ last_activity_unix: NOW / 1_000 - seconds });

const WORKING = { status: 'working', attention: null, attention_kind: null } as const;

/** The team of the pictures: something of each kind. */
export const TEAM: readonly WorkerReport[] = [
  {
    ...asking('bea', ['Yes', 'Yes, and do not ask again for npm', 'No, and tell Claude what to do differently']),
    ...ago(42),
    agent: 'claude',
    current_prompt: 'Store the orders in a database',
    attention: 'It wants to run npm install better-sqlite3',
    asks: {
      id: 'b81f02',
      several: false,
      screen: null,
      tool: 'Bash',
      command: 'npm install better-sqlite3@12 --save-exact',
      question: 'Do you want to proceed?',
      choices: ['Yes', 'Yes, and do not ask again for npm', 'No, and tell Claude what to do differently'],
    },
  },
  toReview('adam', {
    ...ago(310),
    agent: 'claude',
    current_prompt: 'Round prices half up, not down',
    last_message: 'All 42 tests pass.',
    work: { insertions: 12, deletions: 3, files: 4 },
    reviewed: false,
  }),
  toReview('dora', {
    ...ago(125),
    agent: 'codex',
    current_prompt: 'Add a changelog',
    last_message: 'The changelog lists the last three releases.',
    work: { insertions: 9, deletions: 0, files: 1 },
    reviewed: false,
  }),
  aWorkerReport('carl', {
    ...WORKING,
    ...ago(3),
    agent: 'claude',
    current_prompt: 'Explain the returns policy in the README',
    last_message: 'I read the three policy pages first.',
  }),
  aWorkerReport('emil', {
    ...WORKING,
    ...ago(8),
    agent: 'codex',
    current_prompt: 'Let the search ignore accents',
    last_message: 'Now the tests.',
  }),
  aWorkerReport('fay', { ...ago(1_900), agent: 'claude' }),
];

export const REPORT = aReport(TEAM, {
  root: '/home/you/llmc',
  source: '/home/you/code/shop',
  today: { tokens: 4_100_000, cost_usd: 12.4 },
  queue: { waiting: 2 },
});

/** A second repository, with a worker of a name that the first has too. */
export const BLOG = aReport(
  [
    toReview('adam', { ...ago(95), agent: 'codex', current_prompt: 'Write about the release', last_message: 'The post is in drafts.' }),
    aWorkerReport('gus', { ...ago(700), agent: 'claude' }),
  ],
  { root: '/home/you/llmc-blog', source: '/home/you/code/blog' },
);

export const ROOTS = [
  { root: '', name: 'shop' },
  { root: BLOG.root, name: 'blog' },
];

export const RUNS = [{ ...aRun('swarm-3'), stage: 'review' }];

const DIFF = `diff --git a/src/price.ts b/src/price.ts
index 1111111..2222222 100644
--- a/src/price.ts
+++ b/src/price.ts
@@ -3,9 +3,13 @@ export interface Price {
   readonly currency: string;
 }

-/** Rounds down to whole cents. */
+/** Rounds to whole cents, half up, as invoices do. */
 export function inCents(amount: number): number {
-  return Math.floor(amount * 100);
+  // 1.005 * 100 is 100.49999999999999 in binary.
+  const cents = Number((amount * 100).toFixed(6));
+  return Math.floor(cents + 0.5);
 }

 export const ZERO = { amount: 0, currency: 'EUR' };
diff --git a/test/price.test.ts b/test/price.test.ts
index 3333333..4444444 100644
--- a/test/price.test.ts
+++ b/test/price.test.ts
@@ -1,6 +1,7 @@
 test.each([
   [1, 100],
-  [1.005, 100],
+  [1.005, 101],
+  [2.675, 268],
   [0, 0],
 ])('%d is %d cents', (amount, cents) => {
   expect(inCents(amount)).toBe(cents);
`;

const FILE = { binary: false, before: null, after: null, status: 'M' };

export const WORK: ShownReview = sampleWork({
  worker: 'adam',
  task: 'Round prices half up, not down',
  summary: 'Prices are rounded half up. All 42 tests pass.',
  diff: DIFF,
  files: [
    { ...FILE, path: 'src/price.ts', added: 4, removed: 2 },
    { ...FILE, path: 'test/price.test.ts', added: 2, removed: 1 },
  ],
  commits: [{ commit: 'a'.repeat(40), subject: 'Round prices half up' }],
  validation: { passed: true, failed_line: null, reason: null, log: '', took_ms: 8_400, at_unix: NOW / 1_000 - 300 },
  validation_commands: 1,
});

const SINCE = `diff --git a/src/price.ts b/src/price.ts
index 2222222..3333333 100644
--- a/src/price.ts
+++ b/src/price.ts
@@ -3,9 +3,10 @@ export interface Price {
   readonly currency: string;
 }
 
-/** Rounds to whole cents, half up. */
+/** Rounds to whole cents, half up, as invoices do. */
 export function inCents(amount: number): number {
-  const cents = amount * 100;
+  // 1.005 * 100 is 100.49999999999999 in binary.
+  const cents = Number((amount * 100).toFixed(6));
   return Math.floor(cents + 0.5);
 }
`;

/** The same work after a rejection with two remarks. */
export const AGAIN: ShownReview = {
  ...WORK,
  since: {
    reviewed: 'b'.repeat(40),
    feedback: 'See the remarks.',
    at_unix: 1,
    stat: '',
    diff: SINCE,
    files: WORK.files.filter(({ path }) => path === 'src/price.ts').map((file) => ({ ...file, added: 3, removed: 2 })),
    notes: [
      { at: 'src/price.ts:6', text: 'Say where that rule comes from.', quoted: '/** Rounds to whole cents, half up. */' },
      { at: 'src/price.ts:8', text: '1.005 is still rounded down.', quoted: '  const cents = amount * 100;' },
    ],
  },
};
