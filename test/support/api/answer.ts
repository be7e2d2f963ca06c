import type { ServerResponse } from 'node:http';

/** The time and the headers of an answer. */
export interface Timing {
  /** The answer waits until this settles. */
  readonly after?: Promise<void>;
  /** The stream opens, and closes after this settles. */
  readonly finish?: Promise<void>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The ways in which a connection can fail, in every dialect. */
export type Trouble =
  /** The stream begins and then sends nothing more. */
  | ({ readonly kind: 'stall'; readonly text: string } & Timing)
  /** The stream begins and the connection breaks. */
  | ({ readonly kind: 'cut'; readonly text: string } & Timing)
  /** The server accepts the connection and never answers. */
  | { readonly kind: 'hang' }
  | { readonly kind: 'reset' };

type Wire = { readonly type: string } & Readonly<Record<string, unknown>>;

/** A reply as the two halves of an event stream: before and after `finish`. */
export interface Reply {
  readonly opening: readonly Wire[];
  readonly closing: readonly Wire[];
}

/** The answer of a dialect to a step: one JSON body, or a stream. */
export type Content = { readonly status: number; readonly json: unknown } | Reply;

/** Answers with `content`, with the delay and the failure of the step; never answers if it is undefined. */
export async function answerStep(
  step: { readonly kind: string } & Timing,
  response: ServerResponse,
  content: () => Content | undefined,
): Promise<void> {
  if (step.kind === 'hang') return;
  if (step.kind === 'reset') return reset(response);
  await step.after;
  for (const [name, value] of Object.entries(step.headers ?? {})) response.setHeader(name, value);
  const body = content();
  if (body === undefined) return;
  if ('json' in body) return sendJson(response, body.status, body.json);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.write(eventStream(body.opening));
  if (step.kind === 'stall') return;
  // Not with a reset, which can also throw away what was sent: some CLIs try a request without an answer once more.
  if (step.kind === 'cut') return response.socket?.destroySoon();
  await step.finish;
  response.end(eventStream(body.closing));
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
