import { expect, test } from 'vitest';
import { doctorText } from './doctor-text.ts';

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
