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
`,
  'config.toml',
);

const DEFAULTS = {
  agent: 'demo',
  model: 'opus',
  rolePrompt: '',
  excludedFromPool: false,
  skipPermissions: false,
  allowedTools: ['Bash', 'Edit', 'Read', 'Write', 'Glob', 'Grep'],
  soundOnReview: true,
};

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
    });
  });
});
