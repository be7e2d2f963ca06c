import { expect, test } from 'vitest';
import type { InvalidConfig } from '../config/in-force.ts';
import { TestClock } from '../workflow/engine/test-clock.fixture.ts';
import { watchConfig } from './config-watch.ts';

function watched() {
  const clock = new TestClock();
  const end = new AbortController();
  const file: { invalid: InvalidConfig | undefined } = { invalid: undefined };
  const said: string[] = [];
  const called: string[] = [];
  const store = {
    commit: () => {
      throw new Error('disk full');
    },
  };
  const ended = watchConfig(
    { clock, invalidConfig: async () => file.invalid, say: (line) => said.push(line), store },
    ({ message }) => called.push(message),
    end.signal,
  );
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.pass(1_000);
    }
    await new Promise((resolve) => setImmediate(resolve));
  };
  const breaks = (message: string) => {
    file.invalid = { message, since: file.invalid?.since ?? clock.now(), inForce: '/root/run/valid-config.toml' };
  };
  const isFixed = () => {
    file.invalid = undefined;
  };
  const stop = async () => {
    end.abort();
    await ended;
  };
  return { said, called, pass, breaks, isFixed, [Symbol.asyncDispose]: stop };
}

test('an invalid file is recorded once per error and calls a person once, also on a full disk', async () => {
  await using at = watched();
  at.breaks('config.toml:1:1: one');
  await at.pass(5);
  at.breaks('config.toml:2:1: two');
  await at.pass(5);
  expect(at.called).toEqual(['config.toml:1:1: one']);
  expect(at.said).toEqual([expect.stringContaining('config.toml:1:1: one'), expect.stringContaining('config.toml:2:1: two')]);
  at.isFixed();
  await at.pass(5);
  expect(at.said.slice(2)).toEqual(['config.toml is valid again, and in force']);
  at.breaks('config.toml:1:1: one');
  await at.pass(5);
  expect(at.called).toHaveLength(2);
});

test('a file that an editor saves in two steps is not reported', async () => {
  await using at = watched();
  at.breaks('config.toml:1:1: empty');
  await at.pass(1);
  at.isFixed();
  await at.pass(5);
  expect([...at.said, ...at.called]).toEqual([]);
});
