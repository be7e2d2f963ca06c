import { type Launch, type LaunchRequest, reportingEnvironment } from '../launch.ts';
import type { AgentDeclaration } from './declaration.ts';

/** The configured arguments in order, with `{id}` and the other placeholders replaced. */
export function launchDeclared(request: LaunchRequest, { startArgs = [], resumeArgs = [] }: AgentDeclaration): Launch {
  const { conversation } = request;
  const words = [...request.args, ...(conversation.kind === 'resume' ? resumeArgs : startArgs)];
  const values: Readonly<Record<string, string>> = {
    id: conversation.id,
    model: request.model,
    role_prompt: request.rolePrompt,
    worktree: request.worktree,
  };
  return {
    argv: [request.command, ...words.map((word) => word.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole))],
    env: reportingEnvironment(request),
    files: {},
  };
}
