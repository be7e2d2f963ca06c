export function budgetLine(reason: string): string {
  return `no new tasks today: ${reason} (raise it under [budget] in config.toml, or let one wait in the queue: llmc start --queue)`;
}
