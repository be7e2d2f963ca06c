import type { ServerResponse } from 'node:http';

/** When an answer comes, and what its head says. */
export interface Timing {
  /** Nothing is answered before this settles. */
  readonly after?: Promise<void>;
  /** The stream is opened, but not closed before this settles. */
  readonly finish?: Promise<void>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The ways in which a connection can go wrong, whatever it carries. */
export type Trouble =
  /** The stream begins and never goes on. */
  | ({ readonly kind: 'stall'; readonly text: string } & Timing)
  /** The stream begins and the connection breaks. */
  | ({ readonly kind: 'cut'; readonly text: string } & Timing)
  /** The connection is taken and nothing is ever answered. */
  | { readonly kind: 'hang' }
  | { readonly kind: 'reset' };

type Wire = { readonly type: string } & Readonly<Record<string, unknown>>;

/** A reply as the two halves of an event stream: what comes before `finish`, and what after. */
export interface Reply {
  readonly opening: readonly Wire[];
  readonly closing: readonly Wire[];
}

/** What a dialect makes of a step that is answered: one JSON body, or a stream. */
export type Content = { readonly status: number; readonly json: unknown } | Reply;

/** Answers with `content`, in the time and with the trouble the step asks for; undefined is never answered. */
export async function answerStep(
  step: { readonly kind: string } & Timing,
  response: ServerResponse,
  content: () => Content | undefined,
): Promise<void> {
  if (step.kind === 'hang') return;
  if (step.kind === 'reset') return reset(response);
  await step.after;
  for (const [name, value] of Object.entries(step.headers ?? {})) response.setHeader(name, value);
  const told = content();
  if (told === undefined) return;
  if ('json' in told) return sendJson(response, told.status, told.json);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.write(eventStream(told.opening));
  if (step.kind === 'stall') return;
  if (step.kind === 'cut') return reset(response);
  await step.finish;
  response.end(eventStream(told.closing));
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function reset(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}

function eventStream(events: readonly Wire[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}
