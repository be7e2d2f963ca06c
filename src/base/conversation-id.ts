/**
 * Whether an agent's name for its conversation can be trusted with a place in a command line and in a path: an agent could report
 * `--dangerously-skip-permissions`, and llmc would launch it with that.
 */
export function isConversationId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/.test(id) && !id.includes('..');
}
