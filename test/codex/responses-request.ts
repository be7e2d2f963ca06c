import { z } from 'zod';

const part = z.looseObject({ type: z.string(), text: z.string().optional() });
const item = z.looseObject({
  type: z.string().default('message'),
  role: z.string().optional(),
  content: z.union([z.string(), z.array(part)]).optional(),
});

const responsesRequest = z.looseObject({
  model: z.string().default('gpt-scripted'),
  instructions: z.string().default(''),
  input: z.array(item).default([]),
  tools: z.array(z.unknown()).default([]),
});

export type ResponsesRequest = z.infer<typeof responsesRequest>;

export function parseRequest(body: string): ResponsesRequest {
  return responsesRequest.parse(body === '' ? {} : JSON.parse(body));
}

/** Codex 0.166 finds a title for each conversation in a hidden thread. */
export function isTitleRequest(request: ResponsesRequest): boolean {
  return userTexts(request).some((text) => text.startsWith('Generate a concise, single-line task title'));
}

/** All text in the user's name, in order. Codex itself adds environment and instructions, in angle brackets or under headings. */
function userTexts(request: ResponsesRequest): readonly string[] {
  return request.input.flatMap(({ type, role, content }) => {
    if (type !== 'message' || role !== 'user' || content === undefined) return [];
    return typeof content === 'string' ? [content] : content.flatMap(({ text }) => (text === undefined ? [] : [text]));
  });
}

/** The prompt of this request, or undefined when it carries only the result of a tool. */
export function newPrompt(request: ResponsesRequest): string | undefined {
  const last = request.input.at(-1);
  if (last === undefined || last.type !== 'message' || last.role !== 'user') return undefined;
  return userTexts(request).at(-1);
}
