import { join } from 'node:path';
import { z } from 'zod';
import type { Instant } from '../../base/ports.ts';
import type { Environment, RecordedPrompt, Transcript, Usage, UsageReader } from '../agent.ts';
import type { ConfigFolder } from '../config-folder.ts';

const DAY_MS = 24 * 3_600_000;

const count = z.int().nonnegative().catch(0);
const tokens = z.object({ input_tokens: count, cached_input_tokens: count, cache_write_input_tokens: count, output_tokens: count });

const prompt = z.object({
  type: z.literal('item_completed'),
  item: z.object({
    type: z.literal('UserMessage'),
    content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  }),
});

/** The same text as the model gets it. It is written a millisecond earlier, and a resumed Codex has whatever is written so. */
const forModel = z.object({
  type: z.literal('message'),
  role: z.literal('user'),
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
});

const spent = z.object({
  type: z.literal('token_count'),
  info: z.object({
    total_token_usage: tokens,
    last_token_usage: tokens,
    model_context_window: z.number().nullable().catch(null),
  }),
});

const entry = z.object({ timestamp: z.string().catch(''), payload: z.unknown() });

/** Codex's own record of a conversation, one JSON object per line (0.166.0): it has the user's text 45 ms after the Enter. */
export const rollout: Transcript = { path: rolloutPath, prompts: promptsIn, usageReader: rolloutUsageReader };

/**
 * `sessions/2026/11/15/rollout-2026-11-15T05-52-50-<id>.jsonl`: the folder is the day of the agent's own clock, whose zone only the agent
 * knows, so llmc also reads the days before and after the one in the id.
 */
export function rolloutPath(
  env: Environment,
  _worktree: string,
  conversationId: string,
  list: (directory: string) => readonly string[],
): string | undefined {
  const began = parseStartTime(conversationId);
  if (began === undefined) return undefined;
  for (const shift of [0, -DAY_MS, DAY_MS]) {
    const day = new Date(began + shift).toISOString().slice(0, 10).split('-');
    const folder = join(codexHome(env), 'sessions', ...day);
    const name = list(folder).find((each) => each.startsWith('rollout-') && each.endsWith(`-${conversationId}.jsonl`));
    if (name !== undefined) return join(folder, name);
  }
  return undefined;
}

export function promptsIn(text: string): readonly RecordedPrompt[] {
  return payloads(text, z.union([prompt, forModel])).map(({ payload, at }) => ({
    text: payload.type === 'message' ? joinText(payload.content, 'input_text') : joinText(payload.item.content, 'text'),
    at,
  }));
}

function joinText(content: z.infer<typeof forModel>['content'], type: string): string {
  return content.flatMap((part) => (part.type === type ? (part.text ?? []) : [])).join('');
}

/** The last count is of the whole conversation. Codex includes cached tokens in the input; llmc counts them separately. */
export function rolloutUsageReader(): UsageReader {
  let last: z.infer<typeof spent>['info'] | undefined;
  return {
    feed(lines) {
      last = payloads(lines, spent).at(-1)?.payload.info ?? last;
    },
    usage: () => toUsage(last),
  };
}

function toUsage(info: z.infer<typeof spent>['info'] | undefined): Usage | undefined {
  if (info === undefined) return undefined;
  const { total_token_usage: total, last_token_usage: last } = info;
  return {
    inputTokens: total.input_tokens - total.cached_input_tokens,
    outputTokens: total.output_tokens,
    cacheReadTokens: total.cached_input_tokens,
    cacheWriteTokens: total.cache_write_input_tokens,
    contextTokens: last.input_tokens,
    contextWindow: info.model_context_window,
  };
}

/** A line that is still being written, or has another shape, is ignored. */
function payloads<T>(text: string, shape: z.ZodType<T>): readonly { payload: T; at: Instant }[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      const { timestamp, payload } = entry.parse(JSON.parse(line));
      const read = shape.safeParse(payload);
      return read.success ? [{ payload: read.data, at: Date.parse(timestamp) || 0 }] : [];
    } catch {
      return [];
    }
  });
}

export const configFolder: ConfigFolder = {
  variable: 'CODEX_HOME',
  path: codexHome,
  readable: ['config.toml', 'AGENTS.md', 'prompts', 'skills', 'rules'],
  login: ['auth.json'],
  copied: () => ({}),
};

export function codexHome(env: Environment): string {
  return env['CODEX_HOME'] || join(env['HOME'] ?? '', '.codex');
}

/** Conversations have ids of version 7, which begin with the time in milliseconds. */
function parseStartTime(id: string): Instant | undefined {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/.exec(id) ?? [];
  return high === undefined ? undefined : Number.parseInt(`${high}${low}`, 16);
}
