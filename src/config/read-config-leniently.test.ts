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

test.each(['claude', 'fast', 'home', 'spare', 'demo', 'codex'])(
  'the lenient reader gives the same account of %s as the full one',
  (agent) => {
    expect(readConfigLeniently(TEXT).accountOf(agent)).toBe(agentProgram(parseConfig(TEXT, 'config.toml'), agent).account);
  },
);

test.each([
  ['an agent nobody declared', '', 'nobody', 'nobody'],
  ['a circle', '[agents.a]\nextends = "b"\n[agents.b]\nextends = "a"', 'a', 'b'],
  ['a number for a name', '[agents.claude]\naccount = 7', 'claude', 'claude'],
  ['a file that is not TOML', '[agents', 'claude', 'claude'],
])('the lenient reader still gives an account for %s', (_, text, agent, account) => {
  expect(readConfigLeniently(text).accountOf(agent)).toBe(account);
});

test.each(['', '[workflow]\nlog_file = "/var/log/{run}.log"\n[defaults]\nreview_interface = "vscode"\n'])(
  'the lenient reader gives the same log of a run, and the same viewer, as the full one: %j',
  (lines) => {
    const text = `[repo]\nsource = "/src"\n${lines}`;
    const { runLog, reviewInterface } = readConfigLeniently(text);
    const { workflow, defaults } = parseConfig(text, 'config.toml');
    expect({ runLog, reviewInterface }).toEqual({ runLog: workflow.logFile, reviewInterface: defaults.reviewInterface });
  },
);
