import { join } from 'node:path';
import { z } from 'zod';
import type { Login } from '../login.ts';
import { configDir } from './config-dir.ts';

const VARIABLES = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
] as const;

const settings = z.object({ apiKeyHelper: z.unknown().optional(), env: z.record(z.string(), z.unknown()).optional() });

/** Linux keeps the login in a file, macOS in the keychain (2.1.325). */
export const login: Login = {
  files: (env) => [join(configDir(env), '.credentials.json')],
  variables: VARIABLES,
  keychain: 'Claude Code-credentials',
  settings: { path: (env) => join(configDir(env), 'settings.json'), nameLogin },
  command: 'claude, then /login',
};

function nameLogin(text: string): boolean {
  try {
    const { apiKeyHelper, env = {} } = settings.parse(JSON.parse(text));
    return apiKeyHelper !== undefined || VARIABLES.some((name) => name in env);
  } catch {
    return false;
  }
}
