import { describe, expect, test } from 'vitest';
import { measureWidth } from '../../base/text-width.ts';
import { type StatusReport, statusReport } from '../../supervisor/report/status-report.ts';
import { anAssessment } from '../../supervisor/samples.ts';
import { aState, aWorker, ofRun } from '../../workers/samples.ts';
import { atRoot } from '../hint-with-root.ts';
import { statusText } from './status-text.ts';

const NOW = 1_000_000_000;
const UNIX = NOW / 1_000;
const PLAIN = { color: false, columns: Number.POSITIVE_INFINITY, atRoot: (text: string) => text };
const named = (text: string) => atRoot(text, '/trial', ['add', 'review', 'up', 'why']);
const clock = (unix: number) => new Date(unix * 1_000).toTimeString().slice(0, 5);

function report(changes: Partial<StatusReport>, ...workers: readonly ReturnType<typeof aWorker>[]): StatusReport {
  const facts = statusReport({
    root: '/root',
    source: '/source',
    branch: 'main',
    supervisor: { running: true, pid: 7, since_unix: UNIX - 90, stalled_since_unix: null },
    state: aState(...workers),
    deliveryOf: () => null,
    modelOf: () => 'opus',
    accountOf: (agent) => agent,
    now: NOW,
    watchedOf: () => ({ assessment: anAssessment() }),
  });
  return { ...facts, ...changes };
}

const LIMIT = { account: 'claude', until_unix: UNIX, since_unix: UNIX, why: 'no more today', worker: 'adam', continues_by_itself: false };

describe('llmc status', () => {
  test('names the root, its source and the supervisor', () => {
    const [title] = statusText(report({}, aWorker()), NOW, PLAIN).split('\n');
    expect(title).toBe(`/root → /source (main), supervisor 7, up since ${clock(UNIX - 90)}`);
  });

  test('reports above the workers what an agent changed in the clone', () => {
    const tampering = { times: 2, last_unix: UNIX - 60, worker: 'adam', last: '/root/.git/config was changed' };
    const lines = (worker: string | null, times: number) =>
      statusText(report({ tampering: { ...tampering, worker, times } }, aWorker()), NOW, PLAIN).split('\n');
    const at = clock(UNIX - 60);
    expect(lines('adam', 2)[1]).toBe(
      `! The agent of adam changed what llmc wrote into a repository (${at}): /root/.git/config was changed. There were 2 such changes within a day. All of them: llmc logs`,
    );
    expect(lines(null, 1)[1]).toBe(
      `! An agent changed what llmc wrote into a repository (${at}): /root/.git/config was changed. All of them: llmc logs`,
    );
  });

  test('shows what each worker uses, in columns of one width', () => {
    const figures = { sampled_at_unix: UNIX, cpu_percent: 12.4, memory_bytes: 640 * 2 ** 20, context: null, cost_usd: null };
    const tokens = { input: 9_000, output: 3_000, cache_read: 900_000, cache_write: 400 };
    const linesWith = (usage: StatusReport['workers'][number]['usage']) => {
      const known = report({}, aWorker());
      return statusText({ ...known, workers: known.workers.map((worker) => ({ ...worker, usage })) }, NOW, PLAIN)
        .split('\n')
        .slice(2);
    };
    expect(linesWith({ ...figures, tokens })).toEqual([
      'worker  status  age  task  agent  tokens  cpu  memory',
      expect.stringMatching(/^adam {4}idle +\S+ {8}demo {5}12kt {2}12% {2}640 MB$/),
    ]);
    expect(linesWith({ ...figures, cpu_percent: null, memory_bytes: 1.26 * 2 ** 30, tokens: null, cost_usd: 1.234 })).toEqual([
      'worker  status  age  task  agent  tokens   cost  cpu  memory',
      expect.stringMatching(/demo {8}– {2}\$1\.23 {4}– {2}1\.3 GB$/),
    ]);
  });

  test('shows what to type if there is no supervisor or no worker', () => {
    const supervisor = { running: false, pid: null, since_unix: null, stalled_since_unix: null };
    expect(statusText(report({ supervisor }), NOW, PLAIN)).toBe(
      '/root → /source (main), supervisor not running: llmc up --detach\nNo workers yet: llmc add adam',
    );
  });

  test('names the root in its commands before it breaks the lines', () => {
    const supervisor = { running: false, pid: null, since_unix: null, stalled_since_unix: null };
    const worker = aWorker({ status: 'needs_review', attention: { kind: 'review', uncommitted: false } });
    const shown = statusText(report({ supervisor }, worker), NOW, { ...PLAIN, columns: 60, atRoot: named });
    for (const line of shown.split('\n')) expect(measureWidth(line), line).toBeLessThanOrEqual(60);
    const text = shown.replace(/\s+/g, ' ');
    expect(text).toContain('not running: llmc --root /trial up --detach');
    expect(text).toContain('llmc --root /trial review adam');
    expect(statusText(report({}), NOW, { ...PLAIN, atRoot: named })).toContain('No workers yet: llmc --root /trial add adam');
  });

  test('shows the problems of the root, even if nothing else could be read', () => {
    const broken = report({ source: '', branch: '', problems: ['/root/config.toml:3:1: not valid TOML'] }, aWorker());
    expect(statusText(broken, NOW, PLAIN).split('\n').slice(0, 2)).toEqual([
      `/root, supervisor 7, up since ${clock(UNIX - 90)}`,
      '! /root/config.toml:3:1: not valid TOML. More: llmc doctor',
    ]);
  });

  test('the workers of a run stand together below the others, and a resting one needs nothing', () => {
    const mine = aWorker({ name: 'adam', last_activity_unix: UNIX });
    const dev = aWorker({ name: 'swarm-1-developer', status: 'working', run: ofRun(), last_activity_unix: UNIX });
    const away = { status: 'offline', status_before_offline: 'idle', last_activity_unix: UNIX } as const;
    const reviewer = aWorker({ name: 'swarm-1-reviewer', ...away, run: ofRun({ role: 'reviewer', resting: true }) });
    expect(
      statusText(report({}, reviewer, dev, mine), NOW, PLAIN)
        .split('\n')
        .slice(1),
    ).toEqual([
      '1 working · 2 idle',
      'worker             status   age  task  agent',
      'adam               idle      0s        demo',
      'run swarm-1',
      'swarm-1-developer  working   0s        demo',
      'swarm-1-reviewer   resting   0s        demo',
    ]);
  });

  test('the question of a run is on top, and the run that needs a person is above the workers that need none', () => {
    const line: Omit<StatusReport['runs'][number], 'id' | 'waiting_for' | 'waiting_kind'> = {
      workflow: 'swarm',
      status: 'waiting',
      stage: 'land',
      degradation_level: 'full',
      error: null,
      created_ms: NOW,
      ended_ms: null,
    };
    const runs: StatusReport['runs'] = [
      { ...line, id: 'lit-1', waiting_for: '3-approval: asks you (#1, approval): Approve the result of 3?', waiting_kind: 'person' },
      { ...line, id: 'swarm-1', waiting_for: 'land: waits for your review of swarm-1-developer', waiting_kind: 'review' },
    ];
    const mine = aWorker({ name: 'adam', last_activity_unix: UNIX });
    const done = { status: 'needs_review', attention: { kind: 'review', uncommitted: false }, last_activity_unix: UNIX } as const;
    const commit_sha = 'c'.repeat(40);
    const work_size = { commit: commit_sha, insertions: 12, deletions: 3, files: 4 };
    const developer = aWorker({ name: 'swarm-1-developer', ...done, commit_sha, work_size, run: ofRun() });
    const lines = statusText(report({ runs }, mine, developer), NOW, PLAIN).split('\n');
    expect(lines.slice(1)).toEqual([
      '! lit-1: 3-approval: asks you (#1, approval): Approve the result of 3? Answer: llmc decide lit-1',
      '1 to review · 1 idle',
      'worker             status              age  task  agent',
      'run swarm-1: waits for you',
      'swarm-1-developer  has work to review   0s        demo',
      '          ↳ +12 −3, 4 files. Review it: llmc review swarm-1-developer',
      'adam               idle                 0s        demo',
    ]);
    expect(statusText(report({ runs }), NOW, PLAIN).split('\n')[1]).toContain('llmc decide lit-1');
  });

  test('the size of other work than the commit that waits is not shown', () => {
    const commit_sha = 'c'.repeat(40);
    const work_size = { commit: 'd'.repeat(40), insertions: 12, deletions: 3, files: 4 };
    const attention = { kind: 'review', uncommitted: false } as const;
    const measured = aWorker({ name: 'adam', status: 'needs_review', attention, commit_sha, work_size });
    expect(statusText(report({}, measured), NOW, PLAIN)).toContain('↳ Review it: llmc review adam');
    const given = { ...work_size, commit: commit_sha, files: 1 };
    expect(report({}, { ...measured, work_size: given }).workers[0]?.work).toEqual({ insertions: 12, deletions: 3, files: 1 });
    expect(statusText(report({}, { ...measured, work_size: given }), NOW, PLAIN)).toContain(
      '↳ +12 −3, 1 file. Review it: llmc review adam',
    );
  });

  test('shows each worker on a line, in columns, with what it waits for below', () => {
    const busy = aWorker({ name: 'adam', status: 'working', current_prompt: '\nFix the typo\nin README.md', last_activity_unix: UNIX - 5 });
    const done = aWorker({
      name: 'baker-2',
      status: 'needs_review',
      attention: { kind: 'review', uncommitted: false },
      last_activity_unix: UNIX - 3_600,
    });
    const away = aWorker({ name: 'eve', status: 'offline', status_before_offline: 'working', last_activity_unix: UNIX });
    expect(
      statusText(report({}, busy, done, away), NOW, PLAIN)
        .split('\n')
        .slice(1),
    ).toEqual([
      '1 to review · 1 working · 1 offline',
      'worker   status              age  task          agent',
      'baker-2  has work to review   1h                demo',
      '         ↳ Review it: llmc review baker-2',
      'adam     working              5s  Fix the typo  demo',
      'eve      working, offline     0s                demo',
      '         ↳ Its session does not run: llmc why eve',
    ]);
  });

  test('workers that need a person are first, the longest wait on top', () => {
    const names = (text: string) =>
      text
        .split('\n')
        .slice(3)
        .flatMap((line) => /^[a-z]\S*/.exec(line) ?? []);
    const workers = [
      aWorker({ name: 'idle' }),
      aWorker({ name: 'works', status: 'working' }),
      aWorker({ name: 'new', status: 'needs_review', last_activity_unix: UNIX - 5 }),
      aWorker({ name: 'old', status: 'needs_review', last_activity_unix: UNIX - 50 }),
      aWorker({ name: 'broken', status: 'error' }),
      aWorker({ name: 'stuck', status: 'needs_input', attention: { kind: 'no_commit' } }),
      aWorker({ name: 'held', status: 'working', attention: { kind: 'draft_in_box' } }),
    ];
    const text = statusText(report({}, ...workers), NOW, PLAIN);
    expect(text.split('\n')[1]).toBe('2 need you · 1 failed · 2 to review · 1 working · 1 idle');
    expect(names(text)).toEqual(['held', 'stuck', 'broken', 'old', 'new', 'works', 'idle']);
  });

  test('shows the activity of an agent in words', () => {
    const [worker] = report({}, aWorker({ status: 'needs_input' })).workers;
    if (worker === undefined) throw new Error('no worker');
    const shown = (changes: Partial<typeof worker>) => statusText(report({ workers: [{ ...worker, ...changes }] }), NOW, PLAIN).split('\n');
    const doing = (kind: string) => ({ ...worker.activity, kind });
    expect(shown({ attention: 'Which?', attention_kind: 'question' })[1]).toBe('1 asks');
    expect(shown({ attention: 'May I?', attention_kind: 'permission' })[3]).toMatch(/^adam +asks permission /);
    expect(shown({ status: 'working', waiting: 'waiting for the limit' })[3]).toMatch(/^adam +waits for a limit /);
    expect(shown({ status: 'idle', activity: doing('starting') })[3]).toMatch(/^adam +starting /);
    expect(shown({ status: 'offline', status_before_offline: 'needs_review' })[1]).toBe('1 to review');
  });

  test.each([30, 40, 60, 80, 120, 200])('fits %i columns, with long names, wide characters and many workers', (columns) => {
    const workers = Array.from({ length: 12 }, (_, index) =>
      aWorker({
        name: index === 3 ? 'a-name-as-long-as-a-name-may-be-x' : `worker-${index}`,
        status: index % 2 === 0 ? 'needs_review' : 'working',
        current_prompt:
          index % 3 === 0
            ? '日本語の説明を書いて、テストも追加してください。'.repeat(3)
            : 'Explain the returns policy in the README '.repeat(3),
        attention: index % 2 === 0 ? { kind: 'review', uncommitted: false } : null,
      }),
    );
    const lines = statusText(report({}, ...workers), NOW, { ...PLAIN, columns }).split('\n');
    for (const line of lines) expect(measureWidth(line), line).toBeLessThanOrEqual(columns);
    expect(lines.filter((line) => line.includes('↳'))).toHaveLength(6);
  });

  test('the workers of a run can be told apart on a narrow terminal', () => {
    const names = ['fix-issues-1-developer-2', 'fix-issues-1-developer-3'].map((name) =>
      aWorker({ name, run: ofRun({ id: 'fix-issues-1' }) }),
    );
    const shown = statusText(report({}, ...names), NOW, { ...PLAIN, columns: 60 });
    expect(shown).toContain('\n…-1-developer-2  ');
    expect(shown).toContain('\n…-1-developer-3  ');
  });

  test('what an agent or a person put into a prompt cannot move the cursor', () => {
    expect(statusText(report({}, aWorker({ current_prompt: '\u001b[2Jgone\u0007\tx' })), NOW, PLAIN)).not.toMatch(/[\u0000-\u0009\u001b]/);
  });

  test('shows why a prompt is held', () => {
    const [worker] = report({}, aWorker()).workers;
    const held = { id: 'd-1', state: 'held' as const, attempt: 0, reason: 'the agent is busy', reason_kind: 'busy' as const, pending: 1 };
    const workers = worker === undefined ? [] : [{ ...worker, delivery: held }];
    expect(statusText(report({ workers }), NOW, PLAIN)).toContain(
      '        ↳ a prompt is held: the agent is busy (llmc message adam --list)',
    );
    const several = workers.map((each) => ({ ...each, delivery: { ...held, pending: 3 } }));
    expect(statusText(report({ workers: several }), NOW, PLAIN)).toContain(
      '        ↳ 3 prompts are held: the agent is busy (llmc message adam --list)',
    );
  });

  test('shows a usage limit above the workers, and with the workers that wait for it', () => {
    const [worker] = report({}, aWorker()).workers;
    const waiting = 'waiting for the usage limit of claude until 14:05';
    const workers = worker === undefined ? [] : [{ ...worker, waiting }];
    const lines = statusText(report({ workers, limits: [LIMIT] }), NOW, PLAIN).split('\n');
    expect(lines[1]).toMatch(
      /^usage limit of claude until .*\d\d:\d\d, reached by adam: no more today \(bought more\? llmc unpark claude\)$/,
    );
    expect(lines[5]).toBe(`        ↳ ${waiting}`);
  });

  test('a first line that only announces the task is followed by the second', () => {
    const worker = aWorker({ status: 'working', current_prompt: '\nFix this issue:\n\n> Empty input crashes\nMore' });
    expect(statusText(report({}, worker), NOW, PLAIN)).toContain('  Fix this issue: > Empty input crashes  ');
  });

  test('cuts a long prompt at a whole character', () => {
    const text = statusText(report({}, aWorker({ current_prompt: '🦊'.repeat(80) })), NOW, PLAIN);
    expect(text).toContain(`  ${'🦊'.repeat(29)}…  `);
    expect(text.isWellFormed()).toBe(true);
  });

  test('shows above the workers that no new task may start today', () => {
    const [, line] = statusText(report({ budget: 'all of it is used' }, aWorker()), NOW, PLAIN).split('\n');
    expect(line).toMatch(/^no new tasks today: all of it is used \(raise it .*llmc start --queue\)$/);
    expect(statusText(report({}, aWorker()), NOW, PLAIN)).not.toContain('no new tasks');
  });

  test('uses colours only if they are enabled', () => {
    const one = report({}, aWorker({ status: 'error' }));
    expect(statusText(one, NOW, { ...PLAIN, color: true })).toContain('\u001b[31mfailed');
    expect(statusText(one, NOW, PLAIN)).not.toContain('\u001b');
  });
});
