import { expect, test } from 'vitest';
import { agentProgram } from './agent-program.ts';
import { parseConfig } from './parse.ts';
import { readConfigLeniently } from './read-config-leniently.ts';

const TEXT = `[repo]
source = "/src"
[agents.claude]
account = "work"
[agents.fast]
extends = "claude"
[agents.home]
extends = "fast"
account = "me@home"
[agents.spare]
extends = "demo"
`;

test.each(['claude', 'fast', 'home', 'spare', 'demo', 'codex'])('a glance names the same account of %s as a full reading', (agent) => {
  expect(readConfigLeniently(TEXT).accountOf(agent)).toBe(agentProgram(parseConfig(TEXT, 'config.toml'), agent).account);
});

test.each([
  ['an agent nobody declared', '', 'nobody', 'nobody'],
  ['a circle', '[agents.a]\nextends = "b"\n[agents.b]\nextends = "a"', 'a', 'b'],
  ['a number for a name', '[agents.claude]\naccount = 7', 'claude', 'claude'],
  ['a file that is no TOML', '[agents', 'claude', 'claude'],
])('a glance at %s still gives an account', (_, text, agent, account) => {
  expect(readConfigLeniently(text).accountOf(agent)).toBe(account);
});
