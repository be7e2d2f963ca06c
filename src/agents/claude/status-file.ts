import { join } from 'node:path';
import { z } from 'zod';
import type { Activity } from '../activity.ts';
import type { Environment, LiveState, StatusFile } from '../agent.ts';
import { configDir } from './config-dir.ts';

const statusSchema = z.object({
  pid: z.number(),
  sessionId: z.string(),
  /** Missing in the first tenths of a second. */
  status: z.string().optional(),
  waitingFor: z.string().optional(),
  cwd: z.string().optional(),
  version: z.string().optional(),
  /** Start of the process in clock ticks, as in /proc; a file that a killed Claude Code left has another one. */
  procStart: z.string().optional(),
  updatedAt: z.number().optional(),
});

export type ClaudeStatus = z.infer<typeof statusSchema>;

/** Undocumented, but the only evidence of an interrupt, which fires no hook (2.1.325). */
export function statusFilePath(env: Environment, pid: number): string {
  return join(configDir(env), 'sessions', `${pid}.json`);
}

export function parseStatusFile(text: string): ClaudeStatus | undefined {
  try {
    return statusSchema.safeParse(JSON.parse(text)).data;
  } catch {
    // The file is being written.
    return undefined;
  }
}

export function toClaudeActivity({ status, waitingFor }: ClaudeStatus): Activity {
  switch (status) {
    case 'idle':
      return { kind: 'ready' };
    case 'busy':
      return { kind: 'processing' };
    case 'shell':
      return { kind: 'processing', detail: 'background' };
    case 'waiting':
      return waiting(waitingFor ?? '');
    case undefined:
      return { kind: 'starting' };
    default:
      return { kind: 'unknown' };
  }
}

function waiting(what: string): Activity {
  if (/permission|sandbox|worker request|goal proposal/.test(what))
    return { kind: 'awaiting_question', questionType: 'unread', question: `Claude Code waits: ${what}`, choices: [] };
  // A menu that a person opened, or a dialog that only the screen shows.
  if (what === 'dialog open') return { kind: 'unknown' };
  return { kind: 'awaiting_question', questionType: 'multiple_choice', question: what, choices: [] };
}

export const statusFile: StatusFile = {
  path: statusFilePath,
  read(text): LiveState | undefined {
    const status = parseStatusFile(text);
    return status === undefined ? undefined : { activity: toClaudeActivity(status), conversationId: status.sessionId };
  },
};
