import { z } from 'zod';
import type { UsageReader } from '../agent.ts';
import { readEntries } from './transcript.ts';

const count = z.number().catch(0);
const tokens = z
  .object({ input_tokens: count, output_tokens: count, cache_read_input_tokens: count, cache_creation_input_tokens: count })
  .catch({ input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 });

/** Sums the usage of the transcript's replies. A reply is written as several lines with the same id; its usage counts once. */
export function claudeUsageReader(): UsageReader {
  const replies = new Map<string, z.infer<typeof tokens>>();
  let current: z.infer<typeof tokens> | undefined;
  const sum = (key: keyof z.infer<typeof tokens>) => [...replies.values()].reduce((total, usage) => total + usage[key], 0);
  return {
    feed(lines) {
      for (const { type, message, isSidechain } of readEntries(lines)) {
        if (type !== 'assistant' || message?.usage === undefined || message.id === undefined) continue;
        const usage = tokens.parse(message.usage);
        replies.set(message.id, usage);
        if (!isSidechain) current = usage;
      }
    },
    usage: () =>
      current && {
        inputTokens: sum('input_tokens'),
        outputTokens: sum('output_tokens'),
        cacheReadTokens: sum('cache_read_input_tokens'),
        cacheWriteTokens: sum('cache_creation_input_tokens'),
        contextTokens: current.input_tokens + current.cache_read_input_tokens + current.cache_creation_input_tokens,
        contextWindow: null,
      },
  };
}
