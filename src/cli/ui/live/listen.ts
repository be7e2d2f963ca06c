import { LlmcError } from '../../../base/error.ts';
import { reachSupervisor, subscribe } from '../../../supervisor/api/client.ts';
import type { PushedEvent } from '../../../supervisor/follow/pushed-event.ts';
import { requireRoot } from '../../../supervisor/ownership/require-root.ts';
import { requireOwnSockets } from '../../../supervisor/ownership/sockets.ts';
import { notRunning } from '../../owner/owner.ts';
import type { Shell } from '../../shell.ts';

interface Lasting {
  readonly name: 'follow' | 'watchScreen';
  readonly args: unknown;
  /** How long the supervisor may send nothing. */
  readonly silenceMs: number;
}

/** Makes a request that lasts, and returns why the supervisor sends nothing any more. Throws if there is no root. */
export async function listen(
  { layout, options }: Shell,
  { name, args, silenceMs }: Lasting,
  signal: AbortSignal,
  onEvent: (event: PushedEvent) => void,
): Promise<LlmcError> {
  requireOwnSockets(layout);
  const socket = await reachSupervisor(layout.apiSocket);
  if (socket === undefined) {
    requireRoot(layout);
    return notRunning();
  }
  const end = () => socket.destroy();
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  const silence = setTimeout(end, silenceMs).unref();
  let why = 'the supervisor has ended, or hangs';
  try {
    // What the supervisor has to say would be written over the screen.
    const request = { version: options.version, name, args, say: () => undefined, ownerFile: layout.owner };
    for await (const event of subscribe(socket, request)) {
      silence.refresh();
      if ('stopping' in event) why = event.stopping;
      else onEvent(event);
    }
  } catch (error) {
    if (!(error instanceof LlmcError)) throw error;
    if (error.code !== 'SUPERVISOR_FAILED') return error;
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', end);
    socket.destroy();
  }
  return new LlmcError('SUPERVISOR_FAILED', why, { hint: 'llmc up --detach continues the recorded work' });
}
