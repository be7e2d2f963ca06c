import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { basename, dirname } from 'node:path';
import { WebSocket } from 'ws';
import type { ConnectMessages } from '../base/ports.ts';

/** Give up on a server that accepts a connection but does not answer. */
const HANDSHAKE_MS = 5_000;
/** A long conversation arrives in one message. Parsed, it takes several times as much memory, and all workers wait meanwhile. */
const LARGEST_MESSAGE = 64 * 1024 * 1024;

/** WebSocket over a unix socket, which Node's own client does not support. */
export const connectMessages: ConnectMessages = (path, on) => {
  let ended = false;
  const end = (why: string): void => {
    if (ended) return;
    ended = true;
    on.end(why);
  };
  // Not `ws+unix:`, because a path with a blank, an umlaut, a # or a : does not survive inside a URL.
  const socket = new WebSocket('ws://localhost/', {
    createConnection: () => connectTo(path),
    handshakeTimeout: HANDSHAKE_MS,
    maxPayload: LARGEST_MESSAGE,
    perMessageDeflate: false,
  });
  socket.on('open', () => {
    if (!ended) on.open();
  });
  socket.on('message', (data, isBinary) => {
    // By default the library gives one buffer; the other types belong to other settings.
    if (!ended && !isBinary) on.message(Buffer.isBuffer(data) ? data.toString('utf8') : String(data));
  });
  socket.on('error', (error) => end(describeFailure(error)));
  socket.on('close', (code) => end(`closed (${code})`));
  return {
    send: (message) => {
      // The end of the connection reports a message that could not be sent.
      if (!ended) socket.send(message, () => undefined);
    },
    close: () => {
      ended = true;
      socket.terminate();
    },
  };
};

/** sun_path holds 108 bytes on Linux, terminator included. */
const LONGEST_PATH = 107;

/** Reaches a socket with a longer path through its folder. */
function connectTo(path: string): Socket {
  if (process.platform !== 'linux' || Buffer.byteLength(path) <= LONGEST_PATH) return connect(path);
  const folder = openSync(dirname(path), 'r');
  const socket = connect(`/proc/self/fd/${folder}/${basename(path)}`);
  // Either of the two comes first, and only once.
  void Promise.race([once(socket, 'connect'), once(socket, 'close')]).then(
    () => closeSync(folder),
    () => closeSync(folder),
  );
  return socket;
}

function describeFailure(error: Error): string {
  const tooLarge = 'code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
  return tooLarge ? `the agent sent a message of more than ${LARGEST_MESSAGE / 1024 / 1024} MB` : error.message;
}
