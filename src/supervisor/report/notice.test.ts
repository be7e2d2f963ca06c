import { describe, expect, test } from 'vitest';
import type { Attention } from '../../store/attention.ts';
import type { Worker } from '../../store/state.ts';
import { aWorker } from '../../workers/samples.ts';
import { makeDigest, makeNotice } from './notice.ts';
import { cutWithCount } from './notice-part.ts';

const SINCE = new Date(2026, 10, 16, 14, 32).getTime();
const worker = (status: Worker['status'], attention: Attention | null, fields: Partial<Worker> = {}): Worker =>
  aWorker({ status, attention, current_prompt: 'Add a parser', last_activity_unix: SINCE / 1_000, ...fields });
const CHOICES = ['Yes', 'Yes, and don’t ask again', 'No'];
const permission = (command: string): Attention => ({ kind: 'permission', tool: 'Bash', command, question: 'Run it?', choices: CHOICES });
const REVIEW: Attention = { kind: 'review', uncommitted: false };

describe('a lock screen shows what is needed to answer', () => {
  test.each<[string, Worker, { files: number; added: number; removed: number } | undefined, readonly string[]]>([
    [
      'a permission: the whole command, the choices and their numbers',
      worker('needs_input', permission('rm -rf build && npm test')),
      undefined,
      [
        'Bash: rm -rf build && npm test',
        'Run it?',
        '1 Yes · 2 Yes, and don’t ask again · 3 No',
        'Task: Add a parser',
        'Since 14:32: llmc answer adam <number>',
      ],
    ],
    [
      'a question',
      worker(
        'needs_input',
        { kind: 'question', question: 'Which database?', choices: ['Postgres', 'SQLite'], unread: false },
        { summary: 'old' },
      ),
      undefined,
      ['Which database?', '1 Postgres · 2 SQLite', 'Task: Add a parser', 'Since 14:32: llmc answer adam <number>'],
    ],
    [
      'a question without choices',
      worker('needs_input', { kind: 'question', question: 'Which name?', choices: [], unread: false }),
      undefined,
      ['Which name?', 'Task: Add a parser', 'Since 14:32: llmc answer adam "…"'],
    ],
    [
      'a question that llmc cannot answer',
      worker('needs_input', { kind: 'question', question: 'Pick', choices: [], unread: true }),
      undefined,
      ['Pick', 'Task: Add a parser', 'Since 14:32: llmc attach adam'],
    ],
    [
      'finished work: its size, what the agent says, the task',
      worker('needs_review', REVIEW, { summary: 'The parser reads every table.' }),
      { files: 5, added: 212, removed: 8 },
      ['5 files, +212 -8', 'The parser reads every table.', 'Task: Add a parser', 'Since 14:32: llmc review adam'],
    ],
    [
      'finished work whose size is not known',
      worker('needs_review', REVIEW),
      undefined,
      ['Task: Add a parser', 'Review it: llmc review adam', 'Since 14:32: llmc review adam'],
    ],
    [
      'a turn without a commit: the last message of the agent',
      worker('needs_input', { kind: 'no_commit' }, { summary: 'The cause is a race in the cache.' }),
      undefined,
      [
        'The cause is a race in the cache.',
        'Task: Add a parser',
        expect.stringContaining('stopped without a commit'),
        'Since 14:32: llmc why adam',
      ],
    ],
    [
      'a failure: why',
      worker('error', { kind: 'crashed', endings: 3 }, { current_prompt: null }),
      undefined,
      [expect.stringContaining('The agent ended 3 times in a row'), 'Since 14:32: llmc why adam'],
    ],
    [
      'an answer',
      worker('needs_review', { kind: 'answer', uncommitted: false }, { summary: 'Short' }),
      undefined,
      ['The cause is a race.', 'Task: Add a parser', 'Read its answer: llmc review adam', 'Since 14:32: llmc review adam'],
    ],
  ])('%s', (_, about, size, lines) => {
    const answer = about.attention?.kind === 'answer' ? 'The cause is a race.' : undefined;
    expect(makeNotice({ worker: about, size, answer }, SINCE).text.split('\n')).toEqual(lines);
  });
});

test.each([
  [0, 'llmc: adam needs you'],
  [59, 'llmc: adam needs you'],
  [180, 'llmc: adam needs you (3m)'],
  [7 * 3_600, 'llmc: adam needs you (7h)'],
  // A clock that was set back.
  [-500, 'llmc: adam needs you'],
])('after %i seconds the title is %s', (seconds, title) => {
  const notice = makeNotice({ worker: worker('needs_input', permission('ls')) }, SINCE + seconds * 1_000);
  expect([notice.title, notice.env.LLMC_AGE_SECS]).toEqual([title, String(Math.max(0, seconds))]);
});

test('a command gets the parts as variables and as JSON', () => {
  const { env, json } = makeNotice({ worker: worker('needs_input', permission('npm test\nnpm run e2e')) }, SINCE + 90_000);
  expect(env).toEqual({
    LLMC_WORKER: 'adam',
    LLMC_WORKERS: 'adam',
    LLMC_RUN: '',
    LLMC_STATUS: 'needs_input',
    LLMC_REASON: expect.stringContaining('It wants permission for Bash'),
    LLMC_REASON_KIND: 'permission',
    LLMC_TITLE: 'llmc: adam needs you (1m)',
    LLMC_TEXT: expect.stringContaining('Bash: npm test ⏎ npm run e2e'),
    LLMC_SINCE_UNIX: String(SINCE / 1_000),
    LLMC_AGE_SECS: '90',
    LLMC_TASK: 'Add a parser',
    LLMC_QUESTION: 'Run it?',
    LLMC_TOOL: 'Bash',
    LLMC_COMMAND: 'npm test\nnpm run e2e',
    LLMC_CHOICES: '1 Yes\n2 Yes, and don’t ask again\n3 No',
    LLMC_FILES: '',
    LLMC_ADDED: '',
    LLMC_REMOVED: '',
    LLMC_SUMMARY: '',
    LLMC_ANSWER_WITH: 'llmc answer adam <number>',
    LLMC_DEADLINE_UNIX: '',
  });
  expect(json).toMatchObject({
    title: env.LLMC_TITLE,
    text: env.LLMC_TEXT,
    status: 'needs_input',
    kind: 'permission',
    run: null,
    workers: [{ worker: 'adam', command: 'npm test\nnpm run e2e', choices: CHOICES, age_secs: 90, task: 'Add a parser', files: null }],
  });
});

const HOSTILE = '\u001b]52;c;c2VjcmV0\u0007\u202e$(touch pwned)`id`\n"; rm -rf ~ #';

describe('hostile text', () => {
  const notice = makeNotice(
    {
      worker: worker(
        'needs_input',
        { kind: 'permission', tool: HOSTILE, command: HOSTILE.repeat(5_000), question: HOSTILE, choices: [HOSTILE, 'x'.repeat(9_000)] },
        { current_prompt: HOSTILE, summary: HOSTILE },
      ),
    },
    SINCE,
  );
  const every = [...Object.values(notice.env), notice.title, notice.text, JSON.stringify(notice.json)];

  test('is visible everywhere', () => {
    for (const value of every) expect(value).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f\u202e]/);
    expect(notice.env.LLMC_COMMAND).toContain('<U+001B>]52;c;c2VjcmV0<U+0007><U+202E>$(touch pwned)');
  });

  test('cannot add a line to what a lock screen shows', () => {
    expect(notice.text.split('\n')).toHaveLength(5);
  });

  test('is cut, and the cut is said', () => {
    expect(notice.text.length).toBeLessThan(3_000);
    expect(notice.text).toMatch(/more characters\)/);
    for (const value of Object.values(notice.env)) expect(Buffer.byteLength(value)).toBeLessThan(128 * 1_024);
    expect(cutWithCount('a😀b', 2)).toBe('a\ufffd… (2 more characters)');
  });
});

test('a digest has a line per worker with its age, and the parts of each as JSON', () => {
  const told = Array.from({ length: 40 }, (_, index) => ({
    worker: worker('needs_input', permission(`step ${index} ${'x'.repeat(400)}`), { name: `w${index}` }),
  }));
  const { title, text, env, json } = makeDigest(told, SINCE + 120_000);
  expect(title.length).toBeLessThan(250);
  expect(text.length).toBeLessThan(4_100);
  expect(text.split('\n')[0]).toMatch(/^w0 needs you \(2m\): It wants permission/);
  expect(env).toMatchObject({ LLMC_WORKER: '', LLMC_COMMAND: '', LLMC_STATUS: 'digest' });
  expect(env.LLMC_WORKERS?.split(' ')).toHaveLength(40);
  expect(json.workers.map(({ worker: name }) => name)).toHaveLength(40);
});
