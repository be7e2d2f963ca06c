import type { Launch, LaunchRequest } from '../launch.ts';
import { demoProgramPath } from './program-path.ts';
import { interpreter } from './tui/interpreter.ts';

/** Scripts run under the Node that runs llmc; anything else named in the configuration is a program of its own. */
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
    env: {
      LLMC_WORKER: request.worker,
      LLMC_ROOT: request.root,
      LLMC_SPOOL: request.spool,
      LLMC_INCARNATION: String(request.incarnation),
      LLMC_SCRATCH: request.scratch,
    },
    files: {},
  };
}
