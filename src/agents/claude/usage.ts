import { z } from 'zod';
import type { UsageReader } from '../agent.ts';
import { readEntries } from './transcript.ts';

const count = z.int().nonnegative().catch(0);
const NOTHING = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
const KEYS = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const;
const tokens = z
  .object({ input_tokens: count, output_tokens: count, cache_read_input_tokens: count, cache_creation_input_tokens: count })
  .catch(NOTHING);
/** An agent could write millions of replies into its transcript. */
const REPLIES_KEPT = 1_000;

/** Sums the usage of the transcript's replies. A reply is written as several lines with the same id; its usage counts once. */
export function claudeUsageReader(): UsageReader {
  const replies = new Map<string, z.infer<typeof tokens>>();
  const settled: Record<keyof z.infer<typeof tokens>, number> = { ...NOTHING };
  let current: z.infer<typeof tokens> | undefined;
  const sum = (key: keyof z.infer<typeof tokens>) => [...replies.values()].reduce((total, usage) => total + usage[key], settled[key]);
  /** The lines of one reply are close together, so only the latest replies are kept apart. */
  const settle = () => {
    for (const [id, usage] of replies) {
      if (replies.size <= REPLIES_KEPT) return;
      for (const key of KEYS) settled[key] += usage[key];
      replies.delete(id);
    }
  };
  return {
    feed(lines) {
      for (const { type, message, isSidechain } of readEntries(lines)) {
        if (type !== 'assistant' || message?.usage === undefined || message.id === undefined) continue;
        const usage = tokens.parse(message.usage);
        replies.set(message.id, usage);
        settle();
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
