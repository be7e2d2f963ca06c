import { describe, expect, test } from 'vitest';
import { parseConfig } from './parse.ts';
import { workerSettings } from './worker-settings.ts';

const config = parseConfig(
  `[repo]
source = "/src"
[defaults]
agent = "demo"
skip_permissions = false
[workers.adam]
agent = "claude"
model = ""
role_prompt = "r"
excluded_from_pool = true
skip_permissions = true
allowed_tools = []
sound_on_review = false
sandbox = "bubblewrap"
sandbox_user = "eve"
`,
  'config.toml',
);

const DEFAULTS = {
  agent: 'demo',
  model: '',
  rolePrompt: '',
  excludedFromPool: false,
  skipPermissions: false,
  allowedTools: ['Bash', 'Edit', 'Read', 'Write', 'Glob', 'Grep'],
  soundOnReview: true,
  sandbox: 'none',
  sandboxUser: 'llmc-agent',
};

describe('the model of a worker', () => {
  const models = (defaults: string, worker = '') =>
    workerSettings(
      parseConfig(`[repo]\nsource = "/src"\n[defaults]\n${defaults}\n[agents.mine]\nextends = "claude"\n[workers.adam]\n${worker}`, ''),
      'adam',
    ).model;

  test.each([
    ['nothing said', '', '', 'opus'],
    ['a variant of Claude Code', '', 'agent = "mine"', 'opus'],
    ['a model for all', 'model = "haiku"', 'agent = "mine"', 'haiku'],
    ['an empty one for all', 'model = ""', '', ''],
    ['another agent for all', 'agent = "codex"', '', ''],
    ['another agent for all, with its model', 'agent = "codex"\nmodel = "gpt-5.5"', '', 'gpt-5.5'],
    ['one worker with another agent', 'model = "haiku"', 'agent = "codex"', ''],
    ['one worker with another agent and its model', 'model = "haiku"', 'agent = "codex"\nmodel = "gpt-5.5"', 'gpt-5.5'],
    ['one worker on Claude Code among others', 'agent = "codex"\nmodel = "gpt-5.5"', 'agent = "claude"', 'opus'],
  ])('%s', (_, defaults, worker, model) => {
    expect(models(defaults, worker)).toBe(model);
  });

  test('of an agent it runs in place of its own is not the one meant for its own', () => {
    const both = parseConfig('[repo]\nsource = "/src"\n[workers.adam]\nmodel = "sonnet"', '');
    expect([workerSettings(both, 'adam', 'claude').model, workerSettings(both, 'adam', 'codex').model]).toEqual(['sonnet', '']);
  });
});

describe('settings of a worker', () => {
  test.each(['eve', 'constructor'])('%s, who has no table, runs on the defaults', (name) => {
    expect(workerSettings(config, name)).toEqual({ name, ...DEFAULTS });
  });

  test('every override wins, also when it is empty or false', () => {
    expect(workerSettings(config, 'adam')).toEqual({
      name: 'adam',
      agent: 'claude',
      model: '',
      rolePrompt: 'r',
      excludedFromPool: true,
      skipPermissions: true,
      allowedTools: [],
      soundOnReview: false,
      sandbox: 'bubblewrap',
      sandboxUser: 'eve',
    });
  });
});
