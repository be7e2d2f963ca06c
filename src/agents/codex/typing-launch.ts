import { HOOK_SCRIPT } from '../hook.sh.ts';
import { type Launch, type LaunchRequest, reportingEnvironment } from '../launch.ts';
import { HOOK_FILE, hookSettings } from './hooks.ts';
import { permissionFlags } from './permissions.ts';
import { quietFlags } from './settings.ts';

export const hookFiles: Readonly<Record<string, string>> = { [HOOK_FILE]: HOOK_SCRIPT };

/** Codex in the worker's pane, on the keyboard channel: llmc passes all settings as flags, so the user's own files stay unchanged. */
export function typingLaunch(request: LaunchRequest): Launch {
  return {
    argv: [request.command, ...request.args, ...launchArguments(request)],
    env: reportingEnvironment(request),
    files: hookFiles,
  };
}

function launchArguments(request: LaunchRequest): readonly string[] {
  const { conversation, model, rolePrompt } = request;
  const settings = [...SETTINGS, ...(rolePrompt === '' ? [] : [`developer_instructions=${JSON.stringify(rolePrompt)}`]), ...hookSettings()];
  return [
    // By default, 0.166.0 starts one server for all agents of a user, which outlives the pane and runs in the environment of the first.
    '--no-daemon',
    ...permissionFlags(request),
    ...quietFlags(request),
    ...settings.flatMap((setting) => ['-c', setting]),
    ...(model === '' ? [] : ['-m', model]),
    // llmc cannot choose the id of a fresh conversation; the first report has it.
    ...(conversation.kind === 'resume' ? ['resume', conversation.id] : []),
  ];
}

const SETTINGS: readonly string[] = [
  // The title shows what Codex does, also while text arrives and the screen shows nothing; and its conversation.
  'tui.terminal_title=["activity","run-state","thread-id"]',
  // llmc distinguishes box and dialog by the text below the box, so that text must be as recorded.
  'tui.status_line=["model-with-reasoning","current-dir"]',
  'tui.animations=false',
];
