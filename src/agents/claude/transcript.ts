import { join } from 'node:path';
import { z } from 'zod';
import type { Environment, RecordedPrompt, Transcript } from '../agent.ts';
import { configDir } from './config-dir.ts';

const block = z.looseObject({ type: z.string(), text: z.string().optional() });

const entrySchema = z.object({
  type: z.string(),
  timestamp: z.string().catch(''),
  isSidechain: z.boolean().catch(false),
  isMeta: z.boolean().catch(false),
  operation: z.string().optional(),
  /** The text of a queued prompt. */
  content: z.string().optional().catch(undefined),
  /** A queued prompt that the agent got in the middle of a turn. */
  attachment: z
    .object({ type: z.literal('queued_command'), prompt: z.string() })
    .optional()
    .catch(undefined),
  message: z
    .object({
      content: z.union([z.string(), z.array(block)]).catch(''),
      usage: z.record(z.string(), z.unknown()).optional(),
      id: z.string().optional(),
    })
    .optional()
    .catch(undefined),
});

export type TranscriptEntry = z.infer<typeof entrySchema>;

/** One line per entry; skips an incomplete line and an unknown format. */
export function readEntries(text: string): readonly TranscriptEntry[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      return entrySchema.safeParse(JSON.parse(line)).data ?? [];
    } catch {
      return [];
    }
  });
}

/** 2.1.325 names the folder after the working directory, with a dash for every character that is not a letter or digit. */
function folder(env: Environment, worktree: string): string {
  return join(configDir(env), 'projects', worktree.replace(/[^A-Za-z0-9]/g, '-'));
}

export function conversationPath(env: Environment, worktree: string, conversationId: string): string {
  return join(folder(env, worktree), `${conversationId}.jsonl`);
}

export function promptsIn(text: string): readonly RecordedPrompt[] {
  return readEntries(text).flatMap((entry) => {
    const prompt = findPrompt(entry);
    if (prompt === undefined) return [];
    return [{ text: prompt, at: Date.parse(entry.timestamp) || 0, ...(entry.type === 'queue-operation' && { waiting: true as const }) }];
  });
}

function findPrompt(entry: TranscriptEntry): string | undefined {
  if (entry.type === 'queue-operation') return entry.operation === 'enqueue' ? entry.content : undefined;
  if (entry.type === 'attachment') return entry.isSidechain ? undefined : entry.attachment?.prompt;
  if (entry.type !== 'user' || entry.isMeta || entry.isSidechain || entry.message === undefined) return undefined;
  const { content } = entry.message;
  if (typeof content === 'string') return content;
  if (content.some(({ type }) => type === 'tool_result')) return undefined;
  return content.findLast(({ type }) => type === 'text')?.text;
}

export const transcript: Transcript = { path: conversationPath, folder, prompts: promptsIn };
