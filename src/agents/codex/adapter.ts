import type { Agent } from '../agent.ts';
import { answerStep, startupStep } from './answer.ts';
import { login } from './login.ts';
import { protocol } from './protocol/protocol.ts';
import { rehearsal } from './rehearsal.ts';
import { configFolder, rollout } from './rollout.ts';
import { makeSafe, normalise } from './safe-text.ts';
import { classify } from './screen/classify.ts';
import { showsPrompt } from './screen/shows-prompt.ts';
import { LAUNCH_ERRORS } from './screen/texts.ts';
import { conversationOn } from './screen/title.ts';
import { translate } from './translate.ts';
import { hookFiles, typingLaunch } from './typing-launch.ts';

/** Ctrl-U removes one line, or the break before it; the box shows a text of up to a thousand characters unfolded. */
const WIPE_PRESSES = 60;

/**
 * Codex on the protocol channel, with its own terminal interface as the viewer; or on the keyboard channel, with its
 * hooks, transcript, title and screen as evidence.
 */
export const codexAgent: Agent = {
  name: 'codex',
  defaultCommand: 'codex',
  recordedVersions: ['0.166.0'],
  // Without input it ends at once. Of seven started together in a new home, five ended with "failed to migrate state DB".
  prepare: ['app-server'],
  // Each start of Codex removes the helper links of earlier ones that are gone, and may take a Codex that has just made its own for gone:
  // 12 of 200 starts, 40 at a time, 3 of 200, 4 at a time (0.166.0). With a bubblewrap before 0.9 the sandbox then runs no command:
  // "bwrap: execvp codex-linux-sandbox: No such file or directory".
  startsAlone: true,
  sessionVariables: ['CODEX_SANDBOX', 'CODEX_THREAD'],
  protocol,
  launch: typingLaunch,
  translate,
  classify,
  conversationOn,
  startupStep,
  answerStep,
  showsPrompt,
  makeSafe,
  normalise,
  hookFiles,
  login,
  configFolder,
  hosts: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
  loginVariables: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'CODEX_API_KEY'],
  transcript: rollout,
  rehearsal,
  // Do not use /new, which asks where the new conversation should run.
  refusals: LAUNCH_ERRORS,
  clearText: '/clear',
  // After a context error the next prompt first compacts the conversation (0.166).
  compaction: { kind: 'by_itself' },
  exitText: '/quit',
  interruptKeys: ['Escape'],
  // Never use Ctrl-C: in an empty input box a single Ctrl-C ends Codex.
  wipeKeys: Array.from({ length: WIPE_PRESSES }, () => 'C-u'),
};
