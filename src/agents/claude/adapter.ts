import type { Agent } from '../agent.ts';
import { answerStep, startupStep, submitStep } from './answer.ts';
import { configFolder } from './config-dir.ts';
import { hookFiles, launchClaude } from './launch.ts';
import { login } from './login.ts';
import { rehearsal } from './rehearsal.ts';
import { makeSafe, normalise } from './safe-text.ts';
import { classify } from './screen/classify.ts';
import { showsPrompt } from './screen/shows-prompt.ts';
import { RECORDED_VERSIONS, textsFor } from './screen/texts.ts';
import { skipPermissionsProblem } from './skip-permissions.ts';
import { statusFile } from './status-file.ts';
import { transcript } from './transcript.ts';
import { COMPACT_COMMAND, translate } from './translate.ts';
import { claudeUsageReader } from './usage.ts';

/** Claude Code on the keyboard channel; the evidence is its hooks, status file, transcript and screen. */
export const claudeAgent: Agent = {
  name: 'claude',
  defaultCommand: 'claude',
  recordedVersions: RECORDED_VERSIONS,
  sessionVariables: ['CLAUDECODE', 'CLAUDE_CODE_'],
  launch: launchClaude,
  launchProblem: (request, machine) => (request.skipPermissions ? skipPermissionsProblem(machine) : undefined),
  translate,
  classify,
  startupStep,
  answerStep,
  submitStep,
  showsPrompt,
  makeSafe,
  normalise,
  hookFiles,
  login,
  configFolder,
  hosts: ['api.anthropic.com', 'console.anthropic.com', 'platform.claude.com', 'claude.ai'],
  loginVariables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL', 'CLAUDE_CODE_OAUTH_TOKEN'],
  statusFile,
  transcript: { ...transcript, usageReader: claudeUsageReader },
  rehearsal,
  refusals: textsFor(undefined).launchErrors,
  clearText: '/clear',
  compaction: { kind: 'command', text: COMPACT_COMMAND },
  exitText: '/exit',
  // Press it once, because a second Escape opens the rewind menu.
  interruptKeys: ['Escape'],
  // Ctrl-C empties the whole input box, Ctrl-U only its last line. A second Ctrl-C within two seconds would end Claude Code.
  wipeKeys: ['C-c'],
  // A draft in the input box stays as it is (2.1.325).
  redrawKeys: ['C-l'],
};
