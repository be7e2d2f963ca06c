import { describe, expect, test } from 'vitest';
import { widthOf } from '../../base/text-width.ts';
import { inWords, type StatusReport, statusReport } from '../../supervisor/report/status-report.ts';
import type { WhyReport } from '../../supervisor/report/why-report.ts';
import { aDelivery, anAssessment } from '../../supervisor/samples.ts';
import { aState, aWorker, ofRun } from '../../workers/samples.ts';
import { attentionReport } from '../../workers/status/attention-text.ts';
import { atRoot } from '../hint-with-root.ts';
import { statusText } from './status-text.ts';
import { whyJson } from './why-json.ts';
import { whyText } from './why-text.ts';

const NOW = 1_000_000_000;
const UNIX = NOW / 1_000;
const PLAIN = { color: false, columns: Number.POSITIVE_INFINITY, atRoot: (text: string) => text };
const named = (text: string) => atRoot(text, '/trial', ['add', 'review', 'up', 'why']);
const clock = (unix: number) => new Date(unix * 1_000).toTimeString().slice(0, 5);

function report(changes: Partial<StatusReport>, ...workers: readonly ReturnType<typeof aWorker>[]): StatusReport {
  const facts = statusReport({
    ...{
      root: '/root',
      source: '/source',
      branch: 'main',
      supervisor: { running: true, pid: 7, since_unix: UNIX - 90, stalled_since_unix: null },
    },
    state: aState(...workers),
    deliveryOf: () => null,
    modelOf: () => 'opus',
    accountOf: (agent) => agent,
    now: NOW,
    assessmentOf: () => anAssessment(),
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
      `! The agent of adam changed the root's .git (${at}): /root/.git/config was changed. There were 2 such changes within a day. All of them: llmc logs`,
    );
    expect(lines(null, 1)[1]).toBe(`! An agent changed the root's .git (${at}): /root/.git/config was changed. All of them: llmc logs`);
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
    for (const line of shown.split('\n')) expect(widthOf(line), line).toBeLessThanOrEqual(60);
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
    for (const line of lines) expect(widthOf(line), line).toBeLessThanOrEqual(columns);
    expect(lines.filter((line) => line.includes('↳'))).toHaveLength(6);
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

describe('llmc why', () => {
  const why = (changes: Partial<WhyReport>): WhyReport => ({
    ...{
      worker: { ...aWorker({ status: 'working' }), attention: null, attention_kind: null },
      supervised: true,
      silent: false,
      stalled_since: null,
      problem: null,
      patrol: null,
      sandbox: 'none',
      failed_turn: null,
      silence: null,
      assessment: null,
      last_words: null,
      usage: null,
      limit: null,
      resolution: null,
      budget: null,
      queue: { waiting: 0 },
      evidence: [],
      screen: [],
      deliveries: [],
      delivering: null,
      events: [],
      history: [],
    },
    ...changes,
  });

  const reported = (changes: Parameters<typeof aDelivery>[0]) => {
    const row = aDelivery(changes);
    return { ...row, ...inWords(row.reason, NOW) };
  };

  test('shows that no new task may start, and what to do', () => {
    expect(whyText(why({ budget: 'all of it is used' }), NOW, false, PLAIN)).toMatch(
      /^no new tasks today: all of it is used \(raise it .*llmc start --queue\)$/m,
    );
  });

  test('names the report of a worker that was given up, and of no other', () => {
    const { worker } = why({});
    const text = (status: typeof worker.status) => whyText(why({ worker: { ...worker, status } }), NOW, false, PLAIN);
    expect(text('error')).toContain(`llmc report --worker ${worker.name}`);
    expect(text('working')).not.toContain('llmc report');
  });

  test('names the rung of an agent without progress, and when the next one is due', () => {
    const silence = { since_ms: NOW - 36 * 60_000, rungs: 2, next_ms: NOW + 4 * 60_000 } as const;
    expect(whyText(why({ silence }), NOW, false, PLAIN)).toMatch(
      /^No sign of progress since [\d:]+ \(36m\)\. It was asked for its status, checked for an answer\.\s+Next, at [\d:]+: asked again\.$/m,
    );
    expect(whyText(why({ silence: { ...silence, rungs: 0 } }), NOW, false, PLAIN)).toMatch(
      /\(36m\)\.\s+Next, at [\d:]+: asked for its status\.$/m,
    );
  });

  test('shows a failed turn, its attempt and its message', () => {
    const failed_turn = 'failed turn (the network failed), continues at 03:12, attempt 2 of 6: Connection refused';
    expect(whyText(why({ failed_turn }), NOW, false, PLAIN)).toContain(`After a ${failed_turn}.`);
  });

  test('shows the last round of the patrol, and how many found the same', () => {
    const patrol = { last_ms: NOW, since_ms: NOW, rounds: 1, took_ms: 3, findings: [], summary: 'nothing to do' };
    expect(whyText(why({ patrol }), NOW, false, PLAIN)).toMatch(/^Patrol at [\d:]+: nothing to do\.$/m);
    expect(whyText(why({ patrol: { ...patrol, rounds: 14 } }), NOW, false, PLAIN)).toMatch(
      /: nothing to do \(14 rounds since [\d:]+\)\.$/m,
    );
  });

  test('says first that the supervisor does nothing, and what to type', () => {
    expect(
      whyText(why({ stalled_since: 0 }), NOW, false, PLAIN)
        .split('\n')
        .slice(0, 2),
    ).toEqual([
      expect.stringMatching(/^! the supervisor has done nothing since .*\.$/),
      expect.stringMatching(/^→ llmc up --replace --detach /),
    ]);
  });

  test('shows the usage limit of its account', () => {
    expect(whyText(why({ limit: LIMIT }), NOW, false, PLAIN)).toContain('reached by adam: no more today');
  });

  const MORE = ['', 'Evidence, deliveries, events and the screen: llmc why adam --full'];
  const SINCE = UNIX - 60;
  const at = (unix: number) => new Date(unix * 1_000).toTimeString().slice(0, 8);

  test('reports an unknown activity without a supervisor, and an agent that is not running with one', () => {
    const worker = { ...aWorker({ status: 'working', last_activity_unix: SINCE }), attention: null, attention_kind: null };
    const first = `adam is working, since ${at(SINCE)} (1m ago).`;
    expect(whyText(why({ worker, supervised: false }), NOW, false, PLAIN).split('\n')).toEqual([
      first,
      'The activity of its agent (demo) is unknown: no supervisor is running. Start it: llmc up --detach',
      ...MORE,
    ]);
    expect(whyText(why({ worker, supervised: false, silent: true }), NOW, false, PLAIN).split('\n')).toEqual([
      first,
      'The activity of its agent (demo) is unknown: the supervisor does not answer.',
      ...MORE,
    ]);
    expect(whyText(why({ worker }), NOW, false, PLAIN).split('\n')).toEqual([first, 'Its agent (demo) is not running.', ...MORE]);
  });

  test('shows the earlier status of an offline worker, and what a person should do', () => {
    const stored = aWorker({ status: 'offline', status_before_offline: 'needs_input', last_activity_unix: SINCE });
    const worker = { ...stored, ...attentionReport('adam', { kind: 'note', text: 'Answer it' }) };
    expect(whyText(why({ worker }), NOW, false, PLAIN).split('\n')).toEqual([
      `adam is offline (it needed you), since ${at(SINCE)} (1m ago).`,
      'Its agent (demo) is not running.',
      '→ Answer it',
      ...MORE,
    ]);
  });

  test('gives the answer in a few lines: what the agent does, the rule, a held prompt, the last decisions', () => {
    const history = Array.from({ length: 9 }, (_, index) => ({
      ...{ at: NOW - index * 1_000, worker: 'adam', kind: 'status', summary: `decision ${index}` },
    }));
    const text = whyText(
      why({
        assessment: anAssessment({ kind: 'processing', detail: 'retrying' }, { rule: 'the agent reported it', since: NOW - 3_000 }),
        deliveries: [reported({ state: 'held', reason: { kind: 'busy' } })],
        evidence: [{ source: 'hook', says: 'x', at: NOW }],
        screen: ['❯ '],
        history,
      }),
      NOW,
      false,
      PLAIN,
    ).split('\n');
    expect(text.slice(1)).toEqual([
      `Its agent (demo) has been working (retrying) since ${at(UNIX - 3)}, because the agent reported it (hook).`,
      expect.stringMatching(/^The message “Fix the typo” is held for \S+: the agent is busy\. See: llmc message adam --list$/),
      '',
      'Latest decisions',
      `  ${at(UNIX)}  decision 0`,
      `  ${at(UNIX - 1)}  decision 1`,
      `  ${at(UNIX - 2)}  decision 2`,
      ...MORE,
    ]);
  });

  test('shows the last screen of an agent that ended, and that of an earlier process only with --full', () => {
    const last_words = { at: NOW - 5_000, lines: ['cannot find the licence file'] };
    const stored = aWorker({ status: 'error' });
    const worker = { ...stored, ...attentionReport('adam', { kind: 'crashed', endings: 3 }) };
    const shown = `Its last screen before it ended at ${at(UNIX - 5)}\n  cannot find the licence file`;
    expect(whyText(why({ worker, last_words }), NOW, false, PLAIN)).toContain(shown);
    const lives = { assessment: anAssessment({ kind: 'ready' }), last_words };
    expect(whyText(why(lives), NOW, false, PLAIN)).not.toContain('cannot find');
    expect(whyText(why(lives), NOW, true, PLAIN)).toContain(shown);
  });

  test.each([60, 80])(
    'fits %i columns: its own lines are broken, rules of the screen cut, other text of the screen is whole',
    (columns) => {
      const quoted = `  llmc up says: ${'x'.repeat(columns)}`;
      const last_words = { at: NOW, lines: ['─'.repeat(200), quoted, `╭${'─'.repeat(150)}`] };
      const worker = { ...aWorker({ status: 'error' }), ...attentionReport('adam', { kind: 'crashed', endings: 3 }) };
      const history = [{ at: NOW, worker: 'adam', kind: 'status', summary: 'a long decision with many words '.repeat(5) }];
      const text = whyText(why({ worker, last_words, history, supervised: false }), NOW, false, { ...PLAIN, columns, atRoot: named });
      const lines = text.split('\n');
      expect(lines).toContain(`  ${quoted}`);
      for (const line of lines.filter((each) => !each.includes('xxx'))) expect(widthOf(line), line).toBeLessThanOrEqual(columns);
      expect(lines).toContain(`  ${'─'.repeat(columns - 2)}`);
      expect(text.replace(/\s+/g, ' ')).toContain('llmc --root /trial why adam --full');
    },
  );

  test('gives rule, evidence, deliveries, decisions, events and the screen, each with its age', () => {
    const text = whyText(
      why({
        assessment: anAssessment({ kind: 'processing' }, { rule: 'the agent reported "PreToolUse"', since: NOW - 3_000 }),
        evidence: [{ source: 'hook', says: '"PreToolUse" → processing', at: NOW - 3_000 }],
        deliveries: [
          reported({
            state: 'acked',
            attempt: 2,
            ack_source: 'hook',
            typed_ms: NOW - 9_000,
            acked_ms: NOW - 8_750,
            created_ms: NOW - 60_000,
          }),
          reported({ id: 'abcdef12-3456', state: 'held', reason: { kind: 'busy' }, created_ms: NOW - 1_000 }),
        ],
        history: [{ at: NOW - 60_000, worker: 'adam', kind: 'status', summary: 'idle → working (assigned)' }],
        events: [
          { seq: 2, worker: 'adam', incarnation: 3, name: 'PreToolUse', at: NOW - 3_000, fate: 'applied', event: { kind: 'ignored' } },
          { seq: 1, worker: 'adam', incarnation: 2, name: 'Stop', at: NOW - 4_000, fate: 'stale', event: { kind: 'ignored' } },
        ],
        delivering: { delivery: 'abcdef12-3456', step: 'hold', rule: 'agent not ready', why: 'the agent is busy' },
        screen: ['❯ '],
      }),
      NOW,
      true,
      PLAIN,
    );
    for (const line of [
      '  processing: the agent reported "PreToolUse" [hook, 0.95]',
      '  d-1 message acked, attempt 2, acknowledged by hook after 250 ms (1m ago)',
      '  abcdef12 message held, attempt 0 – the agent is busy (1s ago)',
      '  abcdef12: hold, because the agent is busy [rule: agent not ready]',
      '  1m ago   status: idle → working (assigned)',
      '  3s ago   PreToolUse (incarnation 3)',
      '  4s ago   Stop (incarnation 2, stale)',
      'Screen',
    ])
      expect(text.split('\n')).toContain(line);
    expect(text).toMatch(/^ {2}hook +"PreToolUse" → processing \(3s ago\)$/m);
  });

  const TOKENS = { cacheReadTokens: 0, cacheWriteTokens: 0, cost: null };

  test('prints JSON with snake_case keys, times with their unit, and lists as lists', () => {
    const limit = { kind: 'waiting_limit', resetsAt: 7, continuesByItself: true } as const;
    const stop = { kind: 'turn_ended', message: 'Done', backgroundTasks: 1 } as const;
    const report = why({
      assessment: anAssessment(limit, { since: 5 }),
      evidence: [{ source: 'hook', says: 'Stop', at: 3 }],
      usage: { ...TOKENS, inputTokens: 1, outputTokens: 2, contextTokens: 3, contextWindow: null },
      deliveries: [reported({ changes: '["a blank was added"]' })],
      history: [{ at: 4, worker: 'adam', kind: 'status', summary: 'x' }],
      events: [{ seq: 2, worker: 'adam', incarnation: 3, name: 'Stop', at: 6, fate: 'applied', event: stop }],
    });
    expect(whyJson(report)).toMatchObject({
      worker: { name: 'adam', crash_count: 0 },
      assessment: { activity: { kind: 'waiting_limit', resets_at_ms: 7, continues_by_itself: true }, since_ms: 5 },
      evidence: [{ source: 'hook', says: 'Stop', at_ms: 3 }],
      usage: { input_tokens: 1, output_tokens: 2, context_tokens: 3, context_window: null },
      deliveries: [{ changes: ['a blank was added'] }],
      history: [{ at_ms: 4, kind: 'status' }],
      events: [{ at_ms: 6, event: { kind: 'turn_ended', background_tasks: 1 } }],
    });
    expect(JSON.stringify(whyJson(report))).not.toMatch(/"(at|since|\w*[a-z][A-Z]\w*)":/);
  });
});
