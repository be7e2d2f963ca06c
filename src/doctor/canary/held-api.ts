import type { Rehearsal } from '../../agents/rehearsal.ts';
import { type Loopback, serveLoopback } from '../../system/loopback.ts';
import type { DemoApi } from './demo-api.ts';
import { messagesApi } from './messages-api.ts';
import { responsesApi } from './responses-api.ts';

const APIS: Readonly<Record<Exclude<Rehearsal['api'], 'none'>, DemoApi>> = { messages: messagesApi, responses: responsesApi };

/** A running demo API. It holds the answers to prompts until `letGo`, so that the canary can capture the working agent. */
export interface HeldApi extends AsyncDisposable {
  readonly url: string;
  /** The prompts that arrived, in order. */
  readonly prompts: readonly string[];
  letGo(): void;
}

export async function holdApi(kind: Rehearsal['api']): Promise<HeldApi> {
  const prompts: string[] = [];
  const held = Promise.withResolvers<void>();
  const server: Loopback | undefined =
    kind === 'none'
      ? undefined
      : await serveLoopback(async (request) => {
          const { prompt, answer } = APIS[kind](request);
          if (prompt === undefined) return answer;
          prompts.push(prompt);
          await held.promise;
          return answer;
        });
  return {
    url: server?.url ?? '',
    prompts,
    letGo: held.resolve,
    async [Symbol.asyncDispose]() {
      held.resolve();
      await server?.[Symbol.asyncDispose]();
    },
  };
}
