export const SETTINGS_FILE = 'claude-settings.json';
/** Name of the script inside the worker's scratch folder. */
export const HOOK_FILE = 'claude-hook.sh';

/** Every event llmc listens to. Tool events are there as signs of progress; the rest change what is known. */
export const HOOK_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'Elicitation',
  'ElicitationResult',
  'Notification',
  'Stop',
  'StopFailure',
  'SessionEnd',
] as const;

const HOOK_TIMEOUT_S = 10;

/**
 * Passed with `--settings`, on top of the user's own files, which stay untouched.
 * The commands are constants: paths reach them through the environment, so no value ever becomes shell text.
 * No status line, although it would bring cost figures: one takes the user's own away, and with one configured
 * Claude Code 2.1.325 no longer shows "esc to interrupt", the plainest sign of work on the screen.
 */
export function settingsJson(): string {
  const hook = (event: string) => ({ type: 'command', command: `exec sh "$LLMC_SCRATCH/${HOOK_FILE}" ${event}`, timeout: HOOK_TIMEOUT_S });
  const settings = {
    // The user chose skip_permissions in llmc's own configuration; the warning dialog would only block an unattended start.
    skipDangerousModePermissionPrompt: true,
    // llmc waits for the reset and resumes; two that both go on would run the work twice. In place of the wait, 2.1.325 then
    // opens a dialog, which `startupStep` answers with "Stop and wait".
    autoContinueAtUsageLimit: false,
    hooks: Object.fromEntries(HOOK_EVENTS.map((event) => [event, [{ hooks: [hook(event)] }]])),
  };
  return `${JSON.stringify(settings, null, 2)}\n`;
}
