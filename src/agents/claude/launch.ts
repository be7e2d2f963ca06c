import { join } from 'node:path';
import { HOOK_SCRIPT } from '../hook.sh.ts';
import { type Launch, type LaunchRequest, reportingEnvironment } from '../launch.ts';
import { HOOK_FILE, SETTINGS_FILE, settingsJson } from './settings.ts';

export const hookFiles: Readonly<Record<string, string>> = { [SETTINGS_FILE]: settingsJson(), [HOOK_FILE]: HOOK_SCRIPT };

const ROLE_FILE = 'role-prompt.md';

export function launchClaude(request: LaunchRequest): Launch {
  return {
    argv: [request.command, ...launchArguments(request)],
    env: launchEnvironment(request),
    files: {
      ...hookFiles,
      ...(request.rolePrompt !== '' && { [ROLE_FILE]: request.rolePrompt }),
    },
  };
}

function launchArguments(request: LaunchRequest): readonly string[] {
  const { conversation, model, allowedTools, skipPermissions, rolePrompt } = request;
  return [
    // --allowedTools takes every word up to the next flag, so put it before a flag that is always there.
    ...(allowedTools.length > 0 ? ['--allowedTools', ...allowedTools] : []),
    '--settings',
    join(request.scratch, SETTINGS_FILE),
    ...(conversation.kind === 'fresh' ? ['--session-id', conversation.id] : ['--resume', conversation.id]),
    ...(model === '' ? [] : ['--model', model]),
    ...(skipPermissions ? ['--dangerously-skip-permissions'] : []),
    // From a file, because every user of the machine can read the arguments of a program.
    ...(rolePrompt === '' ? [] : ['--append-system-prompt-file', join(request.scratch, ROLE_FILE)]),
    ...request.args,
  ];
}

function launchEnvironment(request: LaunchRequest): Readonly<Record<string, string>> {
  return {
    ...reportingEnvironment(request),
    // By default, Claude Code 2.1.325 changes its renderer by itself after two early kills. The full-screen renderer owns
    // the whole pane: the box is always at the bottom, a resize leaves no old frame behind, and an exit removes the box.
    CLAUDE_CODE_NO_FLICKER: '1',
    // Claude Code draws a suggestion inside the input box like typed text.
    CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'false',
    // One left arrow in an empty box moves the conversation into a background daemon, out of the worker's pane.
    CLAUDE_CODE_DISABLE_AGENT_VIEW: '1',
  };
}
