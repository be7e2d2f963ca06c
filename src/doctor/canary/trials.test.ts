import { expect, test } from 'vitest';
import type { ProcessOutcome } from '../../base/ports.ts';
import { parseConfig } from '../../config/parse.ts';
import { programs } from '../doubles.ts';
import { usedAgents } from '../used-agents.ts';
import { findCandidates } from './trials.ts';

async function candidates(toml: string, answers: Parameters<typeof programs>[0], names?: readonly string[]) {
  const config = parseConfig(`[repo]\nsource = "/src"\n${toml}`, '/root/config.toml');
  const found = await findCandidates(programs(answers), config, names ?? usedAgents(config), '0.1.0');
  return found.map((each) =>
    'trial' in each
      ? `${each.name}: ${each.trial.command.split('/').at(-1)} ${each.trial.version}${each.recorded ? ' recorded' : ''}`
      : `${each.name}: ${each.problem}`,
  );
}
const failing: ProcessOutcome = { kind: 'exited', status: 3 };

test.each<[string, string, Parameters<typeof programs>[0], readonly string[]]>([
  ['a recorded version', '', { 'claude --version': { stdout: '2.1.325 (Claude Code)' } }, ['claude: claude 2.1.325 recorded']],
  ['another version', '', { 'claude --version': { stdout: '3.0.0' } }, ['claude: claude 3.0.0']],
  ['the agent that comes with llmc', '[defaults]\nagent = "demo"', {}, ['demo: main.ts 0.1.0 recorded']],
  ['a program that is not there', '', {}, ['claude: claude is not on PATH']],
  ['a program that fails', '', { 'claude --version': { outcome: failing } }, ['claude: claude --version ended with status 3']],
  ['a program that says something else', '', { 'claude --version': { stdout: 'hello' } }, ['claude: claude --version names no version']],
  [
    'an agent of the user’s own',
    '[defaults]\nagent = "mine"\n[agents.mine]\ncommand = "mine"\nready = ["x"]\nbox = "^> ?(.*)$"',
    {},
    ['mine: llmc has no demo API for an agent you declared yourself'],
  ],
  [
    'two agents with one program',
    '[defaults]\nagent = "one"\n[agents.one]\nextends = "claude"\nfallback = "two"\n[agents.two]\nextends = "claude"\nenv = { A = "b" }',
    { 'claude --version': { stdout: '3.0.0' } },
    ['one: claude 3.0.0'],
  ],
  [
    'two programs',
    '[agents.claude]\nfallback = "two"\n[agents.two]\nextends = "claude"\ncommand = "other"',
    { 'claude --version': { stdout: '3.0.0' }, 'other --version': { stdout: '2.1.325' } },
    ['claude: claude 3.0.0', 'two: other 2.1.325 recorded'],
  ],
  [
    'one program, talked to in two ways',
    '[defaults]\nagent = "codex"\n[agents.codex]\nfallback = "two"\n[agents.two]\nextends = "codex"\nchannel = "typing"',
    { 'codex --version': { stdout: 'codex-cli 0.166.0' } },
    ['codex: codex 0.166.0 recorded', 'two: codex 0.166.0 recorded'],
  ],
])('%s', async (_, toml, answers, expected) => {
  expect(await candidates(toml, answers)).toEqual(expected);
});

test('an unused agent can be named; an undeclared one cannot', async () => {
  expect(await candidates('', {}, ['demo'])).toEqual(['demo: main.ts 0.1.0 recorded']);
  await expect(candidates('', {}, ['nobody'])).rejects.toMatchObject({ code: 'AGENT_NOT_FOUND' });
});
