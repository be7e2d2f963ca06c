import { answerStep } from '../support/api/answer.ts';
import { type Dialect, ScriptedServer } from '../support/api/scripted-server.ts';
import { isTitleRequest, newPrompt, parseRequest, type ResponsesRequest } from './responses-request.ts';
import { contentOf, type Step } from './responses-steps.ts';

const RESPONSES: Dialect<ResponsesRequest, Step> = {
  read(path, text) {
    if (path !== '/v1/responses') return { status: 404, answer: { error: { message: `nothing at ${path}` } } };
    const body = parseRequest(text);
    return { body, main: !isTitleRequest(body) };
  },
  lastStep: { kind: 'text', text: 'OK.' },
  sideStep: { kind: 'text', text: 'Scripted title' },
  answer: (step, _, response) => answerStep(step, response, () => contentOf(step)),
};

/** The part of the Responses API that Codex needs. A provider's `base_url` is `api.urlFor(worker)`. */
export class ScriptedResponses extends ScriptedServer<ResponsesRequest, Step> {
  static start(): Promise<ScriptedResponses> {
    return new ScriptedResponses(RESPONSES).listen();
  }

  override urlFor(worker: string): string {
    return `${super.urlFor(worker)}/v1`;
  }

  /** The prompts that the API received, in order; a request with only the result of a tool has none. */
  received(worker: string): readonly string[] {
    return this.requests(worker).flatMap(({ body }) => newPrompt(body) ?? []);
  }
}
