import { answerStep } from '../support/api/answer.ts';
import { type Dialect, ScriptedServer } from '../support/api/scripted-server.ts';
import { isMainRequest, lastUserText, type MessagesRequest, parseRequest } from './api-request.ts';
import { contentOf, errorBody, type Step } from './api-steps.ts';

const MESSAGES: Dialect<MessagesRequest, Step> = {
  read(path, text) {
    if (path === '/v1/messages/count_tokens') return { status: 200, answer: { input_tokens: 1_000 } };
    if (path !== '/v1/messages') return { status: 404, answer: errorBody('not_found_error', `nothing at ${path}`) };
    const body = parseRequest(text);
    return { body, main: isMainRequest(body) };
  },
  lastStep: { kind: 'text', text: 'OK.' },
  sideStep: { kind: 'text', text: '{"title":"Scripted session"}' },
  answer: (step, body, response) => answerStep(step, response, () => contentOf(step, body)),
};

/** The part of the Messages API that Claude Code needs. `ANTHROPIC_BASE_URL` is `api.urlFor(worker)`. */
export class ScriptedApi extends ScriptedServer<MessagesRequest, Step> {
  static start(): Promise<ScriptedApi> {
    return new ScriptedApi(MESSAGES).listen();
  }

  /** The prompts that the API received, in order: the last block of each main request, unless it is the result of a tool. */
  received(worker: string): readonly string[] {
    return this.requests(worker).flatMap(({ body }) => {
      const content = body.messages.at(-1)?.content;
      const last = Array.isArray(content) ? content.at(-1) : undefined;
      const answersTool = Array.isArray(content) && content.some(({ type }) => type === 'tool_result');
      // A refused tool and the prompt after it come as one message; a reminder of Claude Code's own is not a prompt.
      const isPrompt = !answersTool || (last?.type === 'text' && !last.text?.startsWith('<system-reminder>'));
      return isPrompt ? [lastUserText(body) ?? ''] : [];
    });
  }
}
