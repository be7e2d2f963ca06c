import type { WorkerReport } from '../../supervisor/report/status-report.ts';

interface Figures {
  readonly heading: string;
  readonly cells: readonly string[];
  readonly right: true;
}

/** The usage of each worker as columns: tokens, cost (if known), CPU and memory. Empty if no worker has been measured. */
export function listFigures(workers: readonly WorkerReport[]): readonly Figures[] {
  if (workers.every(({ usage }) => usage === null)) return [];
  const withCost = workers.some(({ usage }) => (usage?.cost_usd ?? null) !== null);
  const column = (heading: string, cell: (usage: NonNullable<WorkerReport['usage']>) => string | null): Figures => ({
    heading,
    cells: workers.map(({ usage }) => (usage === null ? '' : (cell(usage) ?? '–'))),
    right: true,
  });
  return [
    column('tokens', ({ tokens }) => tokens && tokensText(countedTokens(tokens))),
    ...(withCost ? [column('cost', ({ cost_usd }) => (cost_usd === null ? null : `$${cost_usd.toFixed(2)}`))] : []),
    column('cpu', ({ cpu_percent }) => (cpu_percent === null ? null : `${Math.round(cpu_percent)}%`)),
    column('memory', ({ memory_bytes }) => (memory_bytes === null ? null : short(memory_bytes / 1_048_576, ' MB', ' GB', 1_024))),
  ];
}

/** Without what was read from the cache, which costs little and is large. */
export function countedTokens({ input, output, cache_write }: NonNullable<NonNullable<WorkerReport['usage']>['tokens']>): number {
  return input + output + cache_write;
}

/** `640t`, `12kt`. */
export function tokensText(tokens: number): string {
  return short(tokens, 't', 'kt', 1_000);
}

/** `640 MB`, `1.3 GB`. */
function short(value: number, unit: string, larger: string, step: number): string {
  const inLarger = value / step;
  if (inLarger < 1) return `${Math.round(value)}${unit}`;
  return `${inLarger < 10 ? inLarger.toFixed(1) : Math.round(inLarger)}${larger}`;
}
