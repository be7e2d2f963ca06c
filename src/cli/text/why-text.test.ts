import { describe, expect, test } from 'vitest';
import { measureWidth } from '../../base/text-width.ts';
import { reasonFields } from '../../supervisor/report/status-report.ts';
import type { WhyReport } from '../../supervisor/report/why-report.ts';
import { aDelivery, anAssessment } from '../../supervisor/samples.ts';
import { feedbackPrompt } from '../../workers/prompt/prompts.ts';
import { aWorker } from '../../workers/samples.ts';
import { attentionReport } from '../../workers/status/attention-text.ts';
import { atRoot } from '../hint-with-root.ts';
import { whyJson } from './why-json.ts';
import { whyText } from './why-text.ts';

const NOW = 1_000_000_000;
const UNIX = NOW / 1_000;
const PLAIN = { color: false, columns: Number.POSITIVE_INFINITY, atRoot: (text: string) => text };
const named = (text: string) => atRoot(text, '/trial', ['add', 'review', 'up', 'why']);
const LIMIT = { account: 'claude', until_unix: UNIX, since_unix: UNIX, why: 'no more today', worker: 'adam', continues_by_itself: false };

describe('llmc why', () => {
  const why = (changes: Partial<WhyReport>): WhyReport => ({
    worker: { ...aWorker({ status: 'working' }), attention: null, attention_kind: null },
    supervised: true,
    silent: false,
    stalled_since: null,
    problem: null,
    patrol: null,
    sandbox: 'none',
    failed_turn: null,
    conversation_dropped: null,
    silence: null,
    assessment: null,
    last_words: null,
    usage: null,
    limit: null,
    resolution: null,
    budget: null,
    evidence: [],
    screen: [],
    deliveries: [],
    delivering: null,
    events: [],
    history: [],
    ...changes,
  });

  const reported = (changes: Parameters<typeof aDelivery>[0]) => {
    const row = aDelivery(changes);
    return { ...row, ...reasonFields(row.reason, NOW) };
  };

  test('shows that no new task may start, and what to do', () => {
    expect(whyText(why({ budget: 'all of it is used' }), NOW, false, PLAIN)).toMatch(
      /^no new tasks today: all of it is used \(raise it .*llmc start --queue\)$/m,
    );
  });

  test('says that a worker of the pool is removed, and how to keep it', () => {
    const report = why({});
    const ofPool = { ...report.worker, pool: { agent: 'demo', model: null } };
    expect(whyText({ ...report, worker: ofPool }, NOW, false, PLAIN)).toContain(`To keep it: llmc add ${ofPool.name}`);
    expect(whyText(report, NOW, false, PLAIN)).not.toContain('pool');
  });

  test('says why a conversation was given up', () => {
    const report = why({ conversation_dropped: { at: NOW, why: 'its conversation c-1 was given up: the agent does not have it' } });
    expect(whyText(report, NOW, false, PLAIN)).toMatch(/^At \d.* its conversation c-1 was given up: the agent does not have it\.$/m);
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
    const worker = { ...stored, ...attentionReport('adam', { kind: 'trouble', message: 'tmux is wedged', hint: 'Restart it' }) };
    expect(whyText(why({ worker }), NOW, false, PLAIN).split('\n')).toEqual([
      `adam is offline (it needed you), since ${at(SINCE)} (1m ago).`,
      'Its agent (demo) is not running.',
      '→ tmux is wedged. Restart it',
      ...MORE,
    ]);
  });

  test('gives the answer in a few lines: what the agent does, the rule, a held prompt, the last decisions', () => {
    const history = Array.from({ length: 9 }, (_, index) => ({
      at: NOW - index * 1_000,
      worker: 'adam',
      kind: 'status',
      summary: `decision ${index}`,
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

  test.each([
    ['queued', 'waits to be delivered'],
    ['done', 'has reached its agent'],
  ] as const)('says what became of feedback that is %s: its reject may have been killed', (state, became) => {
    const worker = { ...aWorker({ current_prompt: 'Fix the typo' }), ...attentionReport('adam', null) };
    const feedback = reported({ purpose: 'feedback', state, created_ms: NOW, text: feedbackPrompt('Mention\nthe sea', 'a diff', []) });
    const line = expect.stringMatching(new RegExp(`^Your feedback of [0-9:]+, “Mention ⏎ the sea”, ${became}\\.$`));
    const lines = (deliveries: WhyReport['deliveries']) => whyText(why({ worker, deliveries }), NOW, false, PLAIN).split('\n');
    expect(lines([feedback, reported({ purpose: 'task' })])).toContainEqual(line);
    expect(lines([reported({ purpose: 'task' }), feedback])).not.toContainEqual(line);
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
      for (const line of lines.filter((each) => !each.includes('xxx'))) expect(measureWidth(line), line).toBeLessThanOrEqual(columns);
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
