import { createHash } from 'node:crypto';

/** Name of the script inside the worker's scratch folder. */
export const HOOK_FILE = 'codex-hook.sh';

/** Every event that llmc receives. Tool events are signs of progress; the rest change the known state. */
export const HOOK_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'Stop',
  'Interrupt',
  'SessionEnd',
] as const;

/** 0.166.0 limits the timeout of some events to three seconds, and hashes the limited value. */
const TIMEOUT_S = 3;

/**
 * The hooks as settings of this one start, beside the user's own, which stay unchanged. Codex runs a hook only after a person has
 * reviewed it; these come from llmc itself, so the start also passes the mark of a review for exactly these commands. If
 * another version computes the mark differently, it asks, llmc answers to continue without them, and screen and title remain.
 * The commands are constants: paths reach them through the environment, so no value ever becomes shell text.
 */
export function hookSettings(): readonly string[] {
  const hooks = HOOK_EVENTS.map(
    (event) => `hooks.${event}=[{hooks=[{type="command",command=${quoted(commandFor(event))},timeout=${TIMEOUT_S}}]}]`,
  );
  const marks = HOOK_EVENTS.map(
    (event) => `${quoted(`/<session-flags>/config.toml:${snake(event)}:0:0`)}={trusted_hash=${quoted(hashHook(event))}}`,
  );
  return [...hooks, `hooks.state={${marks.join(',')}}`];
}

/** SHA-256 of the hook as JSON with sorted keys, compared with the value that 0.166.0 writes after a review. */
function hashHook(event: string): string {
  const hook = { async: false, command: commandFor(event), timeout: TIMEOUT_S, type: 'command' };
  const identity = JSON.stringify({ event_name: snake(event), hooks: [hook] });
  return `sha256:${createHash('sha256').update(identity).digest('hex')}`;
}

const commandFor = (event: string): string => `exec sh "$LLMC_SCRATCH/${HOOK_FILE}" ${event}`;

const snake = (event: string): string => event.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase();

/** A JSON string is a TOML string too. */
const quoted = (text: string): string => JSON.stringify(text);
