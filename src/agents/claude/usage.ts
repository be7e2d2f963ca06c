import { z } from 'zod';
import type { Usage, UsageReader } from '../agent.ts';
import { readEntries } from './transcript.ts';

const count = z.number().catch(0);
const tokens = z
  .object({ input_tokens: count, output_tokens: count, cache_read_input_tokens: count, cache_creation_input_tokens: count })
  .catch({ input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 });

const statusLine = z.object({
  cost: z.object({ total_cost_usd: z.number() }).optional().catch(undefined),
  context_window: z.object({
    total_input_tokens: count,
    total_output_tokens: count,
    context_window_size: z.number().nullable().catch(null),
    current_usage: tokens,
  }),
});

/** The figures a status line command of Claude Code 2.1.325 gets on stdin, for users who route theirs to llmc. */
export function readStatusLine(payload: unknown): Usage | undefined {
  const { data } = statusLine.safeParse(payload);
  if (data === undefined) return undefined;
  const { current_usage: current, ...window } = data.context_window;
  return {
    inputTokens: window.total_input_tokens,
    outputTokens: window.total_output_tokens,
    cacheReadTokens: current.cache_read_input_tokens,
    cacheWriteTokens: current.cache_creation_input_tokens,
    contextTokens: current.input_tokens + current.cache_read_input_tokens + current.cache_creation_input_tokens,
    contextWindow: window.context_window_size,
    cost: data.cost?.total_cost_usd ?? null,
  };
}

/** Sums the transcript's replies. One reply is written as several lines with the same id; its usage counts once. */
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
        cost: null,
      },
  };
}
