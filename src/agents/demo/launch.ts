import { type Launch, type LaunchRequest, reportingEnvironment } from '../launch.ts';
import { demoProgramPath } from './program-path.ts';
import { interpreter } from './tui/interpreter.ts';

/** Runs a script with the Node that runs llmc; runs any other configured command directly. */
export function launchDemo(request: LaunchRequest): Launch {
  const command = request.command || demoProgramPath();
  const program: [string, ...string[]] = /\.[cm]?[jt]s$/.test(command) ? [interpreter, command] : [command];
  const { conversation, model, rolePrompt, skipPermissions, allowedTools } = request;
  return {
    argv: [
      ...program,
      ...(conversation.kind === 'fresh' ? ['--session-id', conversation.id] : ['--resume', conversation.id]),
      ...(model === '' ? [] : ['--model', model]),
      ...(rolePrompt === '' ? [] : ['--role-prompt', rolePrompt]),
      ...(skipPermissions ? ['--skip-permissions'] : []),
      ...(allowedTools.length === 0 ? [] : ['--allowed-tools', allowedTools.join(',')]),
      ...request.args,
    ],
    env: reportingEnvironment(request),
    files: {},
  };
}
