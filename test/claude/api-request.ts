import { z } from 'zod';

const block = z.looseObject({ type: z.string(), text: z.string().optional() });
const message = z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(block)]) });

const messagesRequest = z.looseObject({
  model: z.string().default('claude-scripted'),
  stream: z.boolean().default(false),
  messages: z.array(message).default([]),
  tools: z.array(z.unknown()).default([]),
  system: z.unknown().optional(),
});

export type MessagesRequest = z.infer<typeof messagesRequest>;

/** A HEAD or GET probe has no body and reads as an empty request. */
export function parseRequest(body: string): MessagesRequest {
  return messagesRequest.parse(body === '' ? {} : JSON.parse(body));
}

/** Claude Code 2.1.325 sends its side requests (titles, quota, suggestions) without tools. */
export function isMainRequest(request: MessagesRequest): boolean {
  return request.tools.length > 0;
}

/** The latest prompt of the person or of llmc: the final text block of the last user message. */
export function lastUserText(request: MessagesRequest): string | undefined {
  const last = request.messages.findLast((one) => one.role === 'user');
  if (last === undefined) return undefined;
  if (typeof last.content === 'string') return last.content;
  return last.content.findLast((one) => one.type === 'text')?.text;
}
