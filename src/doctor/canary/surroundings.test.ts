import { expect, test } from 'vitest';
import { programs } from '../doubles.ts';
import { bareEnvironment, barely } from './surroundings.ts';

const user = { PATH: '/bin', LANG: 'de_DE.UTF-8', HOME: '/home/u', ANTHROPIC_API_KEY: 'k', HTTPS_PROXY: 'p' };

test('the bare environment has only PATH, the language and the user’s name', () => {
  expect(bareEnvironment(user)).toEqual({ PATH: '/bin', LANG: 'de_DE.UTF-8' });
  expect(bareEnvironment({})).toEqual({ LANG: 'C.UTF-8' });
});

test('a bare program loses every other variable, and keeps those of its command', async () => {
  const processes = programs({});
  await barely(processes, user).run({ file: 'tmux', args: [], env: { HOME: '/tmp/x' } });
  const env = processes.calls[0]?.env ?? {};
  expect(Object.keys(env).toSorted()).toEqual(Object.keys(user).toSorted());
  expect(env).toEqual({ PATH: '/bin', LANG: 'de_DE.UTF-8', HOME: '/tmp/x', ANTHROPIC_API_KEY: undefined, HTTPS_PROXY: undefined });
});
