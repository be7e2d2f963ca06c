import { describe, expect, test } from 'vitest';
import type { ProcessOutcome } from '../base/ports.ts';
import { parseTmuxVersion, requireTmux, supportsControlClients, tmuxSuffices } from './version.ts';

test.each([
  ['tmux 3.2', false],
  ['tmux 3.3a', false],
  ['tmux 3.6a', false],
  ['tmux 3.7', true],
  ['tmux 4.0', true],
  ['tmux master', true],
  ['tmux openbsd-7.5', false],
])('%s can be asked through a lasting client: %s', (text, expected) => {
  expect(supportsControlClients(parseTmuxVersion(text))).toBe(expected);
});

describe('the version of tmux', () => {
  test.each([
    ['tmux 3.2', true],
    ['tmux 3.2a\n', true],
    ['tmux 3.3a', true],
    ['tmux 3.10', true],
    ['tmux 4.0', true],
    ['tmux next-3.4', true],
    ['tmux 3.2-rc2', true],
    ['tmux master', true],
    ['tmux 3.1c', false],
    ['tmux 2.9', false],
    ['tmux 1.8', false],
    ['tmux next-3.1', false],
  ])('%j is enough: %s', (text, enough) => {
    const version = parseTmuxVersion(text);
    expect(version !== undefined && tmuxSuffices(version)).toBe(enough);
  });

  test.each(['', 'tmux', 'tmux openbsd-7.5', 'screen 4.9', 'tmux: unknown option'])('%j cannot be ordered', (text) => {
    expect(parseTmuxVersion(text)).toBeUndefined();
  });
});

describe('requiring tmux', () => {
  const answering = (outcome: ProcessOutcome, stdout = '') => ({
    run: async (command: { file: string; args: readonly string[] }) => ({ command, outcome, stdout, stderr: '', truncated: false }),
  });
  const exited: ProcessOutcome = { kind: 'exited', status: 0 };

  test('accepts a supported version, and a version without an order', async () => {
    expect(await requireTmux(answering(exited, 'tmux 3.3a\n'))).toEqual({ major: 3, minor: 3, text: '3.3a' });
    expect(await requireTmux(answering(exited, 'tmux openbsd-7.5\n'))).toBeUndefined();
  });

  test.each<[string, ProcessOutcome, string]>([
    ['TMUX_NOT_FOUND', { kind: 'not-started', reason: 'ENOENT', missing: true }, ''],
    ['TMUX_TOO_OLD', exited, 'tmux 3.1c\n'],
    ['TMUX_SESSION_FAILED', { kind: 'timeout' }, ''],
  ])('throws %s', async (code, outcome, stdout) => {
    await expect(requireTmux(answering(outcome, stdout))).rejects.toMatchObject({ code });
  });
});
