import { expect, test } from 'vitest';
import { doctorText, repairsText } from './doctor-text.ts';

test('one line per check, with each further problem and the hint on a separate line below', () => {
  const checks = [
    { name: 'git', level: 'ok', message: 'git 2.47' },
    { name: 'configuration', level: 'failed', message: 'config.toml:3:1: one\nconfig.toml:5:1: two', hint: 'Correct it.' },
  ] as const;
  expect(doctorText(checks, false).split('\n')).toEqual([
    'ok      git: git 2.47',
    'failed  configuration: config.toml:3:1: one',
    '        config.toml:5:1: two',
    '        → Correct it.',
  ]);
  expect(doctorText(checks, true)).toContain('\u001b[31mfailed ');
});

test('a check fits the width of the terminal', () => {
  const checks = [
    { name: 'sandbox', level: 'warning', message: 'none configured: agents may do what you may do', hint: 'Read docs/sandbox.md first.' },
  ] as const;
  expect(doctorText(checks, false, 40).split('\n')).toEqual([
    'warning sandbox: none configured: agents',
    '          may do what you may do',
    '        → Read docs/sandbox.md first.',
  ]);
  for (const columns of [30, 60])
    expect(
      Math.max(
        ...doctorText(checks, false, columns)
          .split('\n')
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(columns);
});

test('a repair that was not needed any more says that nothing was done', () => {
  const repair = {
    title: 'locks',
    does: 'remove a.lock',
    check: 'git locks',
    message: 'a lock',
    foundLater: false,
    safe: true,
    step: { kind: 'git_locks' },
    outcome: 'unneeded',
    lines: [],
  } as const;
  expect(repairsText([repair]).split('\n')).toEqual([
    'ok      locks: remove a.lock',
    '        Nothing was done: it was not broken any more.',
  ]);
});
