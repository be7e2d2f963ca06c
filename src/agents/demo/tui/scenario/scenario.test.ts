import { describe, expect, test } from 'vitest';
import { parseScenario } from './scenario.ts';

function problems(text: string): readonly string[] {
  const parsed = parseScenario(text, 's.yaml');
  return parsed.ok ? [] : parsed.problems;
}

describe('a scenario', () => {
  test('says every step in YAML', () => {
    const parsed = parseScenario(
      `
trust_dialog: true
misbehave: [swallow_first_enter, late_events: 500, lose_events: [stop]]
turns:
  - when: fix .* bug
    misbehave: [ignore_interrupt]
    steps:
      - say: Looking
      - edit: { path: a.txt, content: x }
      - edit: { path: a.txt, append: y }
      - edit: { path: a.txt, replace: { old: x, new: z } }
      - run: ls
      - take: 1.5s
      - take: 2
      - commit: Fix it
      - leave: findings.md
      - leave: { file: a.yaml, content: "a: 1" }
      - leave: { bad: link }
      - leave: { file: verdict.yaml, issues: [more tests], rounds: 2 }
      - message: { to: developer, text: Look at a.ts }
      - progress: { done: 1, total: 3 }
      - ask: { question: Which?, choices: [A, B], answers: { A: [{ say: a }] } }
      - request_permission: { tool: Bash, command: rm x }
      - fail: { type: rate_limit, message: slow down, resets_in: 5m }
      - misbehave: { stall: 100 }
      - misbehave: crash
      - exit: 3
`,
      's.yaml',
    );
    expect(parsed).toEqual({
      ok: true,
      scenario: {
        trustDialog: true,
        misbehave: [{ name: 'swallow_first_enter' }, { name: 'late_events', value: 500 }, { name: 'lose_events', value: ['stop'] }],
        turns: [
          {
            when: /fix .* bug/is,
            misbehave: [{ name: 'ignore_interrupt' }],
            steps: [
              { kind: 'say', text: 'Looking' },
              { kind: 'edit', path: 'a.txt', change: { how: 'content', text: 'x' } },
              { kind: 'edit', path: 'a.txt', change: { how: 'append', text: 'y' } },
              { kind: 'edit', path: 'a.txt', change: { how: 'replace', old: 'x', new: 'z' } },
              { kind: 'run', command: 'ls' },
              { kind: 'take', ms: 1_500 },
              { kind: 'take', ms: 2_000 },
              { kind: 'commit', message: 'Fix it' },
              { kind: 'leave', file: 'findings.md', content: { how: 'good' } },
              { kind: 'leave', file: 'a.yaml', content: { how: 'text', text: 'a: 1' } },
              { kind: 'leave', file: null, content: { how: 'bad', bad: 'link' } },
              { kind: 'leave', file: 'verdict.yaml', content: { how: 'remarks', issues: ['more tests'], rounds: 2 } },
              { kind: 'message', to: 'developer', text: 'Look at a.ts' },
              { kind: 'progress', done: 1, total: 3, note: '' },
              { kind: 'ask', question: 'Which?', choices: ['A', 'B'], freeText: false, answers: { A: [{ kind: 'say', text: 'a' }] } },
              { kind: 'request_permission', tool: 'Bash', command: 'rm x' },
              { kind: 'fail', type: 'rate_limit', message: 'slow down', resetsInMs: 300_000, continues: false },
              { kind: 'misbehave', what: { name: 'stall', value: 100 } },
              { kind: 'misbehave', what: { name: 'crash' } },
              { kind: 'exit', status: 3 },
            ],
          },
        ],
      },
    });
  });

  test.for([
    ['turns: [', /^s\.yaml:1:9: /],
    ['turns:\n  - steps:\n      - shout: hi\n', /^s\.yaml:3:9: turns\.0\.steps\.0: unknown key "shout"/],
    ['turns:\n  - steps:\n      - say: 3\n', /^s\.yaml:3:14: turns\.0\.steps\.0\.say: .*expected string/],
    ['turns:\n  - steps:\n      - say: hi\n        run: ls\n', /^s\.yaml:3:9: turns\.0\.steps\.0: a step is exactly one of/],
    ['turns:\n  - steps:\n      - {}\n', /^s\.yaml:3:9: turns\.0\.steps\.0: a step is exactly one of/],
    ['turns:\n  - steps:\n      - take: soon\n', /^s\.yaml:3:15: .*"soon" is not a duration/],
    ['turns:\n  - steps:\n      - exit: 300\n', /^s\.yaml:3:15: turns\.0\.steps\.0\.exit: /],
    ['turns:\n  - when: "("\n    steps: []\n', /^s\.yaml:2:11: turns\.0\.when: /],
    ['turns:\n  - steps:\n      - edit: { path: a }\n', /^s\.yaml:3:15: .*exactly one of content, append, replace/],
    ['misbehave:\n  - dance\n', /^s\.yaml:2:5: misbehave\.0: unknown misbehaviour "dance"/],
    ['misbehave:\n  - late_events: [stop]\n', /^s\.yaml:2:5: misbehave\.0: late_events takes a number \(ms\)/],
    ['misbehave:\n  - crash: 1\n', /^s\.yaml:2:5: misbehave\.0: crash takes no value/],
    ['turns:\n  - steps:\n      - ask: { question: "?" }\n', /^s\.yaml:3:14: .*a question needs choices/],
    ['turns:\n  - steps:\n      - fail: { type: odd, message: m }\n', /^s\.yaml:3:23: turns\.0\.steps\.0\.fail\.type: /],
    ['turns:\n  - steps:\n      - leave: { content: a, bad: link }\n', /^s\.yaml:3:16: .*one of content, bad, issues/],
    ['turns:\n  - steps:\n      - leave: { rounds: 2 }\n', /^s\.yaml:3:16: .*rounds needs issues/],
    ['just text', /^s\.yaml:1:1: /],
  ] as const)('is refused with its place: %j', ([text, complaint]) => {
    expect(problems(text).join('\n')).toMatch(complaint);
  });

  test('may be empty', () => {
    expect(problems('')).toEqual([]);
    expect(problems('# nothing yet\n')).toEqual([]);
  });
});
