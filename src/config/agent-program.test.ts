import { describe, expect, test } from 'vitest';
import { agentProgram } from './agent-program.ts';
import { parseConfig } from './parse.ts';

const config = (text: string) => parseConfig(`[repo]\nsource = "/src"\n${text}`, 'config.toml');

describe('the program of an agent', () => {
  test('is left to the adapter when the configuration says nothing', () => {
    expect(agentProgram(config(''), 'claude')).toEqual({
      name: 'claude',
      adapter: 'claude',
      declaration: undefined,
      command: undefined,
      args: [],
      env: {},
      channel: 'auto',
      fallback: undefined,
      account: 'claude',
    });
  });

  test('can be pointed elsewhere', () => {
    const text = '[agents.claude]\ncommand = "/opt/claude"\nargs = ["--x"]\nenv = { A = "1" }\nchannel = "typing"\nfallback = "codex"';
    expect(agentProgram(config(text), 'claude')).toEqual({
      name: 'claude',
      adapter: 'claude',
      declaration: undefined,
      command: '/opt/claude',
      args: ['--x'],
      env: { A: '1' },
      channel: 'typing',
      fallback: 'codex',
      account: 'claude',
    });
  });

  test('inherits along extends: nearest command, all arguments, own variables over inherited ones', () => {
    const text = `[agents.claude]\ncommand = "base"\nargs = ["a"]\nenv = { A = "1", B = "1" }
[agents.mid]\nextends = "claude"\ncommand = "mid"\nargs = ["b"]\nenv = { B = "2" }\nfallback = "demo"
[agents.leaf]\nextends = "mid"\nargs = ["c"]`;
    expect(agentProgram(config(text), 'leaf')).toEqual({
      name: 'leaf',
      adapter: 'claude',
      declaration: undefined,
      command: 'mid',
      args: ['a', 'b', 'c'],
      env: { A: '1', B: '2' },
      channel: 'auto',
      fallback: undefined,
      account: 'claude',
    });
  });

  test('of a declared agent has its declaration, and so has that of its variant', () => {
    const text = `[agents.mine]\ncommand = "mine"\nargs = ["--yes"]\nready = ["^> "]\nbox = "^> (.*)"
[agents.fast]\nextends = "mine"\nargs = ["--fast"]`;
    const declaration = expect.objectContaining({ ready: ['^> '], box: '^> (.*)' });
    expect(agentProgram(config(text), 'mine')).toMatchObject({ adapter: 'mine', command: 'mine', args: ['--yes'], declaration });
    expect(agentProgram(config(text), 'fast')).toMatchObject({ adapter: 'mine', command: 'mine', args: ['--yes', '--fast'], declaration });
  });

  test.each([
    ['its adapter', '', 'claude', 'claude'],
    ['its own', '[agents.claude]\naccount = "work"', 'claude', 'work'],
    ['the nearest one it extends', '[agents.claude]\naccount = "work"\n[agents.mid]\nextends = "claude"', 'mid', 'work'],
    ['its own before that', '[agents.claude]\naccount = "work"\n[agents.mid]\nextends = "claude"\naccount = "home"', 'mid', 'home'],
  ])('shares the account of %s', (_, text, agent, account) => {
    expect(agentProgram(config(text), agent).account).toBe(account);
  });

  test.each(['nobody', 'constructor', '__proto__'])('%s is not an agent', (name) => {
    expect(() => agentProgram(config(''), name)).toThrow(expect.objectContaining({ code: 'AGENT_NOT_FOUND' }));
  });
});
