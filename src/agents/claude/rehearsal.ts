import { join } from 'node:path';
import type { Rehearsal } from '../rehearsal.ts';

/** Claude Code identifies an unknown API key by its last 20 characters. */
const DUMMY_KEY = 'sk-ant-canary-0000-00000000000000000000';
const CONFIG_DIR = '.claude';

/** With these answers in its settings, 2.1.325 shows no dialog between the start and the input box. */
export const rehearsal: Rehearsal = {
  api: 'messages',
  hooks: true,
  scene({ home, worktree, apiUrl }) {
    const config = {
      hasCompletedOnboarding: true,
      theme: 'dark',
      hasSeenAutoDefaultNotice: true,
      customApiKeyResponses: { approved: [DUMMY_KEY.slice(-20)], rejected: [] },
      projects: { [worktree]: { hasTrustDialogAccepted: true } },
    };
    return {
      env: {
        CLAUDE_CONFIG_DIR: join(home, CONFIG_DIR),
        ANTHROPIC_BASE_URL: apiUrl,
        ANTHROPIC_API_KEY: DUMMY_KEY,
        DISABLE_TELEMETRY: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_ERROR_REPORTING: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        // True here: llmc deletes the folder, and the demo API never asks for a tool.
        IS_SANDBOX: '1',
      },
      files: { [join(CONFIG_DIR, '.claude.json')]: JSON.stringify(config) },
    };
  },
};
