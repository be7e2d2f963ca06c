import { describe, expect, test } from 'vitest';
import { judgeExitOutput } from './exit-output.ts';
import { findAgent } from './registry.ts';

const CLAUDE = findAgent('claude').refusals;
const CODEX = findAgent('codex').refusals;
const DEMO = findAgent('demo').refusals;

describe('the last lines of an agent that ended before it was ready', () => {
  test.each([
    ['Claude Code knows no such conversation', ['No conversation found with session ID: 1234'], 1, CLAUDE, 'resume_refused'],
    ['the same, wrapped', ['No conversation found with se', 'ssion ID: 1234'], 1, CLAUDE, 'resume_refused'],
    ['the demo agent knows no such conversation', ['demo agent: No conversation found with session ID: 1234'], 1, DEMO, 'resume_refused'],
    ['Codex knows no such conversation', ['Error: No saved session found with ID 12'], 1, CODEX, 'resume_refused'],
    ['Codex refuses its configuration', ['Error loading config.toml: unknown variant'], 1, CODEX, 'fatal'],
    ['Claude Code refuses root', ['--dangerously-skip-permissions cannot be used with root/sudo privileges'], 1, CLAUDE, 'fatal'],
    ['the program is missing', ['launch.sh: 7: exec: claude: not found'], 127, CLAUDE, 'missing_program'],
    ['the program cannot be run', [], 126, CLAUDE, 'missing_program'],
    ['a temporary problem', ['ERROR: failed to initialize sqlite local db'], 1, CODEX, undefined],
    ['too many requests', ['Error: 429 too many requests'], 1, [], 'rate_limit'],
    ['nothing', ['', 'Pane is dead (status 1)'], 1, CLAUDE, undefined],
  ])('%s', (_, lines, status, refusals, expected) => {
    expect(judgeExitOutput(lines, status, refusals)).toBe(expected);
  });
});

describe('of an agent that was ready', () => {
  test.each([
    ['a conversation that quotes a refusal', ['No conversation found with session ID: 1234'], 1, undefined],
    ['a command of its own that was not found', ['sh: 1: foo: not found'], 127, undefined],
    ['a conversation about status 429', ['  we return 429 on a rate limit'], 1, undefined],
    ['an error about a timeout', ['API Error: Request timed out.'], 1, 'timeout'],
    ['an error about the connection', ['codex: ERROR connection lost'], 1, 'timeout'],
    ['a conversation about a timeout', ['  the test timed out'], 1, undefined],
    ['a timeout in a program that ended well', ['Error: timed out'], 0, undefined],
    ['an error about a rate limit', ['codex: ERROR rate limit exceeded'], 1, 'rate_limit'],
    ['the same before many other lines', ['Error: rate limit', ...Array.from({ length: 10 }, () => 'x')], 1, undefined],
    ['the same in a program that ended well', ['Error: rate limit'], 0, undefined],
  ])('%s', (_, lines, status, expected) => {
    expect(judgeExitOutput(lines, status, undefined)).toBe(expected);
  });
});
