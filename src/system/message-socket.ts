import { connect } from 'node:net';
import { WebSocket } from 'ws';
import type { ConnectMessages } from '../base/ports.ts';

/** Somebody who accepts a connection and says nothing is nobody to talk to. */
const HANDSHAKE_MS = 5_000;
/** The record of a long conversation comes in one message. */
const LARGEST_MESSAGE = 512 * 1024 * 1024;

/** WebSocket over a unix socket; Node's own client cannot reach one. */
export const connectMessages: ConnectMessages = (path, on) => {
  let ended = false;
  const end = (why: string): void => {
    if (ended) return;
    ended = true;
    on.end(why);
  };
  // Not `ws+unix:`: a path with a blank, an umlaut, a # or a : does not survive being part of an address.
  const socket = new WebSocket('ws://localhost/', {
    createConnection: () => connect(path),
    handshakeTimeout: HANDSHAKE_MS,
    maxPayload: LARGEST_MESSAGE,
    perMessageDeflate: false,
  });
  socket.on('open', () => {
    if (!ended) on.open();
  });
  socket.on('message', (data, isBinary) => {
    // Asked for as one buffer by default; the other shapes are for other settings of the library.
    if (!ended && !isBinary) on.message(Buffer.isBuffer(data) ? data.toString('utf8') : String(data));
  });
  socket.on('error', (error) => end(error.message));
  socket.on('close', (code) => end(`closed (${code})`));
  return {
    send: (message) => {
      // What cannot be sent any more is told by the end of the connection.
      if (!ended) socket.send(message, () => undefined);
    },
    close: () => {
      ended = true;
      socket.terminate();
    },
  };
};
