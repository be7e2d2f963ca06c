import { describe, expect, test } from 'vitest';
import { canaryWorld } from '../support/canary-world.ts';
import { rowsOfThisRun } from '../support/full-run.ts';

const PROTOCOL = ['server', 'conversation', 'taken', 'at work', 'turn over', 'at rest', 'taken up', 'kept', 'viewer'];
const KEYBOARD = ['ready', 'typed', 'acknowledged', 'busy', 'record', 'end of turn', 'ready again', 'exit'];

/** The fake's way, the checks that passed, the checks that failed and why, the channel, and the meaning of the result. */
const rows: readonly [
  way: string,
  passed: readonly string[],
  failed: readonly (readonly [string, RegExp])[],
  'keyboard' | 'protocol' | null,
  RegExp,
][] = [
  [
    'old',
    ['probe'],
    [
      ['protocol', /app-server --help does not name it/],
      ['ready', /status 3.*no such option/],
    ],
    'keyboard',
    /^llmc uses the keyboard channel instead\.$/,
  ],
  ['dumb', [], [['probe', /app-server --help gave no answer/]], null, /does not start its workers.*channel = "typing"/],
  ['absent', ['probe', 'protocol'], [['server', /status 3.*no such option/]], 'protocol', /starts it again and then notifies a person/],
  [
    'deaf',
    ['probe', 'protocol'],
    [['server', /^not within 30 s: .*its process runs/]],
    'protocol',
    /notifies a person.*channel = "typing"/,
  ],
  ['mute', ['probe', 'protocol', 'server'], [['conversation', /^not within 30 s: no message arrived/]], 'protocol', /holds prompts back/],
  [
    'babbling',
    ['probe', 'protocol', 'server'],
    [['conversation', /Codex answered in a way|no message arrived that llmc understands/]],
    'protocol',
    /holds prompts back/,
  ],
  ['refusing', ['probe', 'protocol', 'server'], [['conversation', /^no model today$/]], 'protocol', /notifies a person/],
  [
    'forgetful',
    ['probe', 'protocol', 'server', 'conversation'],
    [
      ['taken', /^not within 12 s: events: conversation opened/],
      ['at work', /^not within 12 s: it said ready$/],
    ],
    'protocol',
    /marks the prompt as not delivered/,
  ],
  [
    'mortal',
    ['probe', 'protocol', 'server', 'conversation'],
    [
      ['taken', /^the connection ended .*its process ended \(status 7\)/],
      ['at work', /^the connection ended/],
    ],
    'protocol',
    /marks the prompt as not delivered/,
  ],
];

describe('the canary on the protocol channel', () => {
  // Each run has a program for each step that can fail; the others fail at the same steps for another reason.
  const inEachRun = rowsOfThisRun(rows, ([way]) => ['old', 'dumb', 'absent', 'mute', 'mortal'].includes(way));
  test.concurrent.for(inEachRun)('reports the failure of a program that is %s', async ([way, passed, failed, channel, means]) => {
    await using canary = await canaryWorld();
    canary.fakeCodex(way);
    const { healthy, canaries, checks } = await canary.doctor('--canary', '--agent', 'codex');
    expect(healthy).toBe(true);
    expect(canaries).toMatchObject([{ agent: 'codex', version: '9.9.9', outcome: 'failed', way: channel }]);
    const found = canaries?.[0]?.checks ?? [];
    const named = (verdict: string) => found.filter((check) => check.verdict === verdict).map(({ name }) => name);
    expect(named('passed')).toEqual(passed);
    expect(found.filter(({ verdict }) => verdict === 'failed')).toMatchObject(
      failed.map(([name, evidence]) => ({ name, evidence: expect.stringMatching(evidence) })),
    );
    const asked = channel === 'keyboard' ? KEYBOARD : PROTOCOL;
    expect(named('not_tried')).toEqual(asked.filter((name) => !passed.includes(name) && !failed.some(([other]) => other === name)));
    expect(found.find(({ verdict }) => verdict === 'failed')?.means).toMatch(means);
    expect([canary.folders(), canary.processes()]).toEqual([[], []]);
    expect(checks.find(({ name }) => name === 'agents')).toMatchObject({
      level: 'warning',
      message: expect.stringContaining(`canary: failed${channel === null ? '' : `, ${channel} channel,`} on `),
      hint: expect.stringMatching(means.source.replaceAll(/[$^]/g, '')),
    });
  });

  test('with channel = "typing" the canary does not ask for the protocol', async () => {
    await using canary = await canaryWorld();
    canary.fakeCodex('dumb', 'channel = "typing"');
    const { canaries } = await canary.doctor('--canary', '--agent', 'codex');
    expect(canaries).toMatchObject([
      { outcome: 'failed', way: 'keyboard', checks: [{ name: 'ready', verdict: 'failed' }, {}, {}, {}, {}, {}, {}, {}] },
    ]);
  });
});
