import { join } from 'node:path';
import type { Login } from '../login.ts';
import { codexHome } from './rollout.ts';

/** A provider of the user's own needs no login, and a keyring keeps it elsewhere (0.166). */
const ELSEWHERE = /^\s*(?:model_provider|oss_provider|cli_auth_credentials_store)\s*=/m;

export const login: Login = {
  files: (env) => [join(codexHome(env), 'auth.json')],
  variables: ['OPENAI_API_KEY', 'CODEX_API_KEY', 'CODEX_ACCESS_TOKEN'],
  settings: { path: (env) => join(codexHome(env), 'config.toml'), nameLogin: (text) => ELSEWHERE.test(text) },
  command: 'codex login',
};
