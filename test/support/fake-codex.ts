import { createServer } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';

/**
 * A program in place of Codex, for unknown versions: `node fake-codex.ts <way> <the arguments of llmc>`.
 *
 * | way | behaviour |
 * |---|---|
 * | old | has neither the protocol nor a terminal interface |
 * | dumb | does not answer --help |
 * | absent | its server exits at once |
 * | deaf | its server runs, and opens no socket |
 * | mute | its server accepts connections, and sends nothing |
 * | babbling | its server sends only invalid messages |
 * | refusing | its server refuses to open a conversation |
 * | forgetful | its server accepts a prompt, and reports nothing about it |
 * | mortal | its server exits when it gets a prompt |
 */
const [way = '', ...args] = process.argv.slice(2);

const request = z.object({ id: z.number().optional(), method: z.string() });
const THREAD = { id: '00000000-0000-7000-8000-000000000001', status: { type: 'idle' } };
const BABBLE = [
  '',
  'hello',
  '{',
  'null',
  '[]',
  '{"id":1}',
  '{"id":1,"result":7}',
  '{"id":2,"result":{"thread":"yes"}}',
  '{"method":"turn/completed"}',
];

const stay = (): void => {
  setInterval(() => undefined, 60_000);
};

function answer(socket: WebSocket, method: string, id: number): void {
  const reply = (body: object) => socket.send(JSON.stringify({ id, ...body }));
  switch (method) {
    case 'initialize':
      reply({ result: {} });
      return;
    case 'thread/start':
      reply(way === 'refusing' ? { error: { message: 'no model today' } } : { result: { thread: THREAD } });
      return;
    case 'turn/start':
      if (way === 'mortal') process.exit(7);
      reply({ result: { turn: { id: 't', status: 'inProgress' } } });
  }
}

function listen(path: string): void {
  const server = createServer();
  new WebSocketServer({ server }).on('connection', (socket) => {
    if (way === 'babbling') for (const message of BABBLE) socket.send(message);
    if (way === 'babbling' || way === 'mute') return;
    socket.on('message', (data) => {
      const { id, method } = request.parse(JSON.parse(String(data)));
      if (id !== undefined) answer(socket, method, id);
    });
  });
  server.listen(path);
}

if (args.includes('--version')) console.log('codex-cli 9.9.9');
else if (args.includes('--help')) {
  if (way === 'dumb') stay();
  else console.log(way === 'old' ? 'Usage: codex [PROMPT]' : 'Usage: codex app-server [--listen unix://PATH]');
} else if (!args.includes('--listen') || way === 'absent') {
  console.log('no such option');
  process.exitCode = 3;
} else if (way === 'deaf') stay();
else listen(args.at(-1)?.replace('unix://', '') ?? '');
