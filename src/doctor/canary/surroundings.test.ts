import { expect, test } from 'vitest';
import { programs } from '../doubles.ts';
import { bareEnvironment, barely } from './surroundings.ts';

const user = { PATH: '/bin', LANG: 'de_DE.UTF-8', HOME: '/home/u', ANTHROPIC_API_KEY: 'k', HTTPS_PROXY: 'p' };

test('of the user’s environment only the way to the programs and the language stay', () => {
  expect(bareEnvironment(user)).toEqual({ PATH: '/bin', LANG: 'de_DE.UTF-8' });
  expect(bareEnvironment({})).toEqual({ LANG: 'C.UTF-8' });
});

test('a program started barely has every other name removed, and keeps what its command says', async () => {
  const processes = programs({});
  await barely(processes, user).run({ file: 'tmux', args: [], env: { HOME: '/tmp/x' } });
  const env = processes.calls[0]?.env ?? {};
  expect(Object.keys(env).toSorted()).toEqual(Object.keys(user).toSorted());
  expect(env).toEqual({ PATH: '/bin', LANG: 'de_DE.UTF-8', HOME: '/tmp/x', ANTHROPIC_API_KEY: undefined, HTTPS_PROXY: undefined });
});
