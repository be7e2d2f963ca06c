import { join } from 'node:path';
import type { Rehearsal } from '../rehearsal.ts';

const CODEX_HOME = '.codex';
const KEY_NAME = 'LLMC_CANARY_KEY';

/** Measured with 0.166.0: a provider with a key in the environment replaces a login. Codex has no announcement for this model. */
export const rehearsal: Rehearsal = {
  api: 'responses',
  hooks: true,
  scene: ({ home, apiUrl }) => ({
    env: { CODEX_HOME: join(home, CODEX_HOME), [KEY_NAME]: 'sk-canary-00000000' },
    files: {
      [join(CODEX_HOME, 'config.toml')]: [
        'model = "gpt-5.5"',
        'model_provider = "canary"',
        'check_for_update_on_startup = false',
        '[notice.model_migrations]',
        '"gpt-5.5" = "gpt-6-sol"',
        '[model_providers.canary]',
        'name = "canary"',
        `base_url = ${JSON.stringify(`${apiUrl}/v1`)}`,
        'wire_api = "responses"',
        `env_key = "${KEY_NAME}"`,
        '',
      ].join('\n'),
    },
  }),
};
