import { z } from 'zod';

/** The app-server messages that llmc relies on (Codex 0.166.0, `codex app-server generate-ts`). All other fields are ignored. */

const id = z.union([z.string(), z.number()]);

const userInput = z.looseObject({ type: z.string(), text: z.string().optional() });

const item = z.looseObject({
  type: z.string(),
  id: z.string(),
  clientId: z.string().nullish(),
  content: z.array(z.unknown()).optional(),
  text: z.string().optional(),
  server: z.string().optional(),
  tool: z.string().optional(),
  changes: z.array(z.looseObject({ path: z.string() })).optional(),
});

const turnError = z.looseObject({
  message: z.string(),
  codexErrorInfo: z.unknown().optional(),
  additionalDetails: z.string().nullish(),
});

const turn = z.looseObject({
  id: z.string(),
  status: z.string(),
  items: z.array(item).default([]),
  error: turnError.nullish(),
  completedAt: z.number().nullish(),
});

const status = z.looseObject({ type: z.string(), activeFlags: z.array(z.string()).default([]) });

const rateLimitWindow = z.looseObject({ usedPercent: z.number(), resetsAt: z.number().nullish() }).nullish();

export type ThreadItem = z.infer<typeof item>;
export type ThreadTurn = z.infer<typeof turn>;
export type TurnError = z.infer<typeof turnError>;
export type ThreadStatus = z.infer<typeof status>;

/** A JSON-RPC message without its version: a request or notification has a method, an answer has none. */
const message = z.looseObject({
  id: id.optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});

export type RequestId = z.infer<typeof id>;
export type ServerMessage = z.infer<typeof message>;

/** Undefined if the text is not a message. */
export function parseServerMessage(text: string): ServerMessage | undefined {
  try {
    return message.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export const opened = z.looseObject({ thread: z.looseObject({ id: z.string(), status, preview: z.string().default('') }) });
/** Whether a person opened the conversation: a viewer names itself, Codex's own helpers are ephemeral, sub-agents have a parent. */
export const threadStarted = z.looseObject({
  thread: z.looseObject({
    id: z.string(),
    ephemeral: z.literal(false),
    threadSource: z.literal('user'),
    parentThreadId: z.null(),
    forkedFromId: z.string().nullish(),
  }),
});
export const turnStarted = z.looseObject({ turn });
export const turnsListed = z.looseObject({ data: z.array(turn) });

const ofThread = z.looseObject({ threadId: z.string() });

/** The server's notifications, by method. */
export const notifications = {
  'thread/status/changed': ofThread.extend({ status }),
  'thread/closed': ofThread,
  'turn/started': ofThread.extend({ turn }),
  'turn/completed': ofThread.extend({ turn }),
  'item/started': ofThread.extend({ turnId: z.string(), item }),
  'item/completed': ofThread.extend({ turnId: z.string(), item }),
  error: ofThread.extend({ error: turnError, willRetry: z.boolean() }),
  'serverRequest/resolved': ofThread.extend({ requestId: id }),
} as const;

export const rateLimitsUpdated = z.looseObject({
  rateLimits: z.looseObject({ primary: rateLimitWindow, secondary: rateLimitWindow }),
});

const question = z.looseObject({
  id: z.string(),
  question: z.string(),
  options: z.array(z.looseObject({ label: z.string() })).nullish(),
});

const asked = ofThread.extend({ turnId: z.string().nullish(), itemId: z.string().default('') });

/** The server's requests to its clients, by method. Codex asks all subscribers of a thread, also later ones; the first answer counts. */
export const requests = {
  'item/commandExecution/requestApproval': asked.extend({
    approvalId: z.string().nullish(),
    command: z.string().nullish(),
    reason: z.string().nullish(),
    availableDecisions: z.array(z.union([z.string(), z.record(z.string(), z.unknown())])).nullish(),
  }),
  'item/fileChange/requestApproval': asked.extend({ reason: z.string().nullish() }),
  'item/permissions/requestApproval': asked.extend({
    reason: z.string().nullish(),
    permissions: z.record(z.string(), z.unknown()).default({}),
  }),
  'item/tool/requestUserInput': asked.extend({ questions: z.array(question).min(1) }),
  'mcpServer/elicitation/request': asked.extend({ serverName: z.string(), message: z.string().default('') }),
} as const;

/** The text of a prompt: its parts in order. A prompt of llmc has one part. */
export function toPromptText({ content = [] }: ThreadItem): string {
  return content.flatMap((part) => userInput.safeParse(part).data?.text ?? []).join('\n');
}
