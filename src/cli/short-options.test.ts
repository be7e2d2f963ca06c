import { expect, test } from 'vitest';
import { withLetter } from './short-options.ts';
import { VERBS } from './verbs.ts';

test.each([
  ['--worker <name>', '-w, --worker <name>'],
  ['--prompt <text>', '-p, --prompt <text>'],
  ['--prompt-file <file>', '-f, --prompt-file <file>'],
  ['--follow', '-f, --follow'],
  ['--force', '--force'],
  ['-y, --yes', '-y, --yes'],
])('%s', (flags, expected) => {
  expect(withLetter({ flags, about: 'x' })).toEqual({ flags: expected, about: 'x' });
});

test('every command that takes one of these options takes its letter', () => {
  const short = VERBS.flatMap(({ name, options }) =>
    options.flatMap(({ flags }) => (/^-/.test(flags) && flags[1] !== '-' ? [`${name} ${flags.slice(0, 2)}`] : [])),
  );
  expect(short).toEqual(
    expect.arrayContaining([
      'start -w',
      'start -p',
      'start -f',
      'queue -p',
      'reject -w',
      'reject -f',
      'accept -m',
      'up -d',
      'run -d',
      'logs -f',
    ]),
  );
});
