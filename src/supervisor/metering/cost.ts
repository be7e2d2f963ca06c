import type { Usage } from '../../agents/agent.ts';
import type { Config } from '../../config/schema.ts';

/** In US dollars, by the prices the user gave for the agent; null without prices. */
export function priceUsage(usage: Usage, agent: string, { prices }: Config['budget']): number | null {
  const price = Object.hasOwn(prices, agent) ? prices[agent] : undefined;
  if (price === undefined) return null;
  const millionths =
    usage.inputTokens * price.input +
    usage.outputTokens * price.output +
    usage.cacheReadTokens * price.cacheRead +
    usage.cacheWriteTokens * price.cacheWrite;
  return millionths / 1_000_000;
}
