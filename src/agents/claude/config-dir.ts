import { join } from 'node:path';
import type { Environment } from '../agent.ts';
import type { ConfigFolder } from '../config-folder.ts';

/** Where Claude Code keeps its own files. */
export function configDir(env: Environment): string {
  return env['CLAUDE_CONFIG_DIR'] || join(env['HOME'] ?? '', '.claude');
}

export const configFolder: ConfigFolder = {
  variable: 'CLAUDE_CONFIG_DIR',
  path: configDir,
  readable: ['settings.json', 'CLAUDE.md', 'agents', 'commands', 'skills', 'plugins', 'output-styles', 'keybindings.json'],
  login: ['.credentials.json'],
  // It lies beside the folder, unless the user moved the folder (2.1.325).
  copied: (env) => ({ '.claude.json': join(env['CLAUDE_CONFIG_DIR'] || (env['HOME'] ?? ''), '.claude.json') }),
  // As root, Claude Code runs without asking only where this says so.
  env: { IS_SANDBOX: '1' },
};
