export function budgetLine(reason: string): string {
  return `no new tasks today: ${reason} (raise it under [budget] in config.toml, or put a task in the queue: llmc start --queue)`;
}
