import { expect, test } from 'vitest';
import { secretsOfConfig, secretsOfEnvironment, variablesIn } from './known-secrets.ts';

test.each([
  ['the name of a secret', { NPM_TOKEN: 'abc' }, ['abc']],
  ['an unknown name with a long value', { GREETING: 'purple-monkey' }, ['purple-monkey']],
  ['an unknown name with a short value', { DEBUG: 'yes' }, []],
  ['a harmless name', { HOME: '/home/someone', PWD: '/home/someone', LC_ALL: 'en_GB.UTF-8' }, []],
  ['a path', { JAVA_HOME: '/usr/lib/jvm/java-21' }, []],
  ['a key of several lines', { SSH_KEY: 'first line\nsecond line' }, ['first line\nsecond line', 'first line', 'second line']],
])('%s', (_, variables, expected) => {
  expect(secretsOfEnvironment(variables).map(({ value }) => value)).toEqual(expected);
});

test('the environment of a process', () => {
  expect(variablesIn('A=1\0B=x=y\0garbage\0')).toEqual({ A: '1', B: 'x=y' });
});

test('the values of env tables and of secret names are hidden, the rest is shown', () => {
  const { secrets, shown, patterns } = secretsOfConfig(
    '[report]\nredact = ["x+"]\n[agents.demo]\ncommand = "c"\nenv = { A = "one", B = "two" }\n[workers.adam]\napi_key = "three"\n',
  );
  expect(secrets.map(({ value }) => value)).toEqual(['one', 'two', 'three']);
  expect(patterns).toEqual(['x+']);
  expect(shown).toMatchObject({
    agents: { demo: { command: 'c', env: { A: '[redacted]' } } },
    workers: { adam: { api_key: '[redacted]' } },
  });
});

test('a file that is not TOML still gives its values, and its patterns are unknown', () => {
  const broken = secretsOfConfig('[agents.demo.env\nMY_TOKEN = "one-two-three"\nPLAIN = \'four-five\'\n');
  expect(broken.secrets.map(({ value }) => value)).toEqual(['one-two-three', 'four-five']);
  expect(broken).toMatchObject({ shown: undefined, patterns: [] });
  expect(secretsOfConfig('[report\nredact = ["x"]').patterns).toBeUndefined();
});
