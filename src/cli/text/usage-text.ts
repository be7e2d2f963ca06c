import type { WorkerUsage } from '../../supervisor/metering/worker-usage.ts';

/** Over the columns of `figuresText`. */
export function figuresHeading(withCost: boolean): string {
  return `${[' cpu', ' memory', 'tokens', ...(withCost ? ['  cost'] : [])].join(' ')}  `;
}

/** Columns of one width, so that those of many workers stand under each other: processor, memory, tokens, cost where one is known. */
export function figuresText(figures: WorkerUsage, withCost: boolean): string {
  const { cpu_percent, memory_bytes, tokens, cost_usd } = figures;
  const columns = [
    (cpu_percent === null ? '–' : `${Math.round(cpu_percent)}%`).padStart(4),
    (memory_bytes === null ? '–' : short(memory_bytes / 1_048_576, ' MB', ' GB', 1_024)).padStart(7),
    (tokens === null ? '–' : `${short(tokens.input + tokens.output + tokens.cache_write, 't', 'kt', 1_000)}`).padStart(6),
    ...(withCost ? [(cost_usd === null ? '–' : `$${cost_usd.toFixed(2)}`).padStart(6)] : []),
  ];
  return `${columns.join(' ')}  `;
}

/** `640 MB`, `1.3 GB`. */
function short(value: number, unit: string, larger: string, step: number): string {
  const inLarger = value / step;
  if (inLarger < 1) return `${Math.round(value)}${unit}`;
  return `${inLarger < 10 ? inLarger.toFixed(1) : Math.round(inLarger)}${larger}`;
}
