import { HOOK_SCRIPT } from '../hook.sh.ts';
import { type Launch, type LaunchRequest, reportingEnvironment } from '../launch.ts';
import { HOOK_FILE, hookSettings } from './hooks.ts';
import { permissionFlags } from './permissions.ts';
import { quietFlags } from './settings.ts';

/** Codex in the worker's pane, typed into: everything llmc needs comes by flag, so that the user's own files stay as they are. */
export function typingLaunch(request: LaunchRequest): Launch {
  return {
    argv: [request.command, ...request.args, ...launchArguments(request)],
    env: reportingEnvironment(request),
    files: { [HOOK_FILE]: HOOK_SCRIPT },
  };
}

function launchArguments(request: LaunchRequest): readonly string[] {
  const { conversation, model, rolePrompt } = request;
  const settings = [...SETTINGS, ...(rolePrompt === '' ? [] : [`developer_instructions=${JSON.stringify(rolePrompt)}`]), ...hookSettings()];
  return [
    // Left to itself, 0.166.0 starts one server for all agents of a user, which outlives the pane and runs in the environment of the first.
    '--no-daemon',
    ...permissionFlags(request),
    ...quietFlags(request),
    ...settings.flatMap((setting) => ['-c', setting]),
    ...(model === '' ? [] : ['-m', model]),
    // An id for a fresh conversation cannot be chosen; the first report brings it.
    ...(conversation.kind === 'resume' ? ['resume', conversation.id] : []),
  ];
}

const SETTINGS: readonly string[] = [
  // The title says what Codex does, also while text arrives and the screen says nothing; and which conversation it is in.
  'tui.terminal_title=["activity","run-state","thread-id"]',
  // What stands below the box tells box from dialog, so it must be what was recorded.
  'tui.status_line=["model-with-reasoning","current-dir"]',
  'tui.animations=false',
];
