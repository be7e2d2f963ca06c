import type { Launch, LaunchRequest } from '../../launch.ts';
import type { Protocol } from '../../protocol.ts';
import { quietFlags, serverFlags } from '../settings.ts';
import { CodexDialogue } from './dialogue.ts';
import { viewerArguments } from './viewer-arguments.ts';

/**
 * Codex as a server (`codex app-server`), with JSON-RPC over a WebSocket on a unix socket, with its own terminal
 * interface as the viewer. The turn continues when viewers and connections end (0.166.0).
 */
export const protocol: Protocol = {
  probe: ['app-server', '--help'],
  isSupported: (output) => /--listen\b/.test(output) && output.includes('unix://'),
  longestPrompt: 1_048_576,
  server: (request, socket) => started(request, [...serverFlags(request), 'app-server', '--listen', `unix://${socket}`]),
  // 0.166.0; TMPDIR does not change it.
  socketFolder: (uid) => `/tmp/codex-daemon-${uid}`,
  viewer: (request, socket, conversationId) =>
    started({ ...request, args: viewerArguments(request.args) }, ['resume', conversationId, '--remote', `unix://${socket}`]),
  dialogue: (request) => new CodexDialogue(request),
};

function started(request: LaunchRequest, words: readonly string[]): Launch {
  const env = { LLMC_SCRATCH: request.scratch, LLMC_INCARNATION: String(request.incarnation) };
  return { argv: [request.command, ...request.args, ...quietFlags(request), ...words], env, files: {} };
}
