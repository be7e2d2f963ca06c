import type { LoopbackAnswer, LoopbackRequest } from '../../system/loopback.ts';

/** The demo API's reply to one request. `prompt` is set for a prompt of the conversation, whose answer the API holds back. */
export type ApiReply = { readonly prompt?: string; readonly answer: LoopbackAnswer };

/** The model in a canary: it answers "OK." to everything and never asks for a tool. */
export type DemoApi = (request: LoopbackRequest) => ApiReply;

export const SAYS = 'OK.';

type Wire = { readonly type: string } & Readonly<Record<string, unknown>>;

export function eventStream(events: readonly Wire[]): LoopbackAnswer {
  const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  return { status: 200, type: 'text/event-stream', body };
}

export function json(status: number, body: unknown): LoopbackAnswer {
  return { status, type: 'application/json', body: JSON.stringify(body) };
}

/** An unreadable body counts as empty, because probes send none. */
export function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
}
