import type { LoopbackAnswer, LoopbackRequest } from '../../system/loopback.ts';

/** What the demo API makes of one request: a prompt of the conversation, whose answer is held back, or something by the way. */
export type ApiReply = { readonly prompt?: string; readonly answer: LoopbackAnswer };

/** The model's side of a canary: it says "OK." to everything, and never asks for a tool. */
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

/** A body nobody can read is an empty one: probes have none. */
export function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
}
