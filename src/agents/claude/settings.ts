export const SETTINGS_FILE = 'claude-settings.json';
/** Name of the script inside the worker's scratch folder. */
export const HOOK_FILE = 'claude-hook.sh';

/** The hook events that llmc uses. Tool events show progress; the others change the evidence. */
export const HOOK_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'Elicitation',
  'ElicitationResult',
  'PreCompact',
  'Notification',
  'Stop',
  'StopFailure',
  'SessionEnd',
] as const;

const HOOK_TIMEOUT_S = 10;

/**
 * llmc passes these with `--settings`, in addition to the user's own files, which it never changes.
 * The commands are constants and get paths through the environment, so no value becomes shell text.
 * There is no status line, although it would report costs: it would replace the user's own, and with a status line
 * Claude Code 2.1.325 no longer shows "esc to interrupt", the clearest sign of work on the screen.
 */
export function settingsJson(): string {
  const hook = (event: string) => ({ type: 'command', command: `exec sh "$LLMC_SCRATCH/${HOOK_FILE}" ${event}`, timeout: HOOK_TIMEOUT_S });
  const settings = {
    // The user chose skip_permissions in llmc's configuration, and the warning dialog would block an unattended start.
    skipDangerousModePermissionPrompt: true,
    // llmc waits for the reset and resumes; if both continued, the work would run twice. 2.1.325 then
    // opens a dialog instead of waiting, which `startupStep` answers with "Stop and wait".
    autoContinueAtUsageLimit: false,
    hooks: Object.fromEntries(HOOK_EVENTS.map((event) => [event, [{ hooks: [hook(event)] }]])),
  };
  return `${JSON.stringify(settings, null, 2)}\n`;
}
