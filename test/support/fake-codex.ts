import { createServer } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';

/**
 * A program in place of Codex, for versions nobody has seen: `node fake-codex.ts <way> <the words of llmc>`.
 *
 * | way | what it does |
 * |---|---|
 * | old | knows no protocol, and no way to be typed to either |
 * | dumb | does not even say what it knows |
 * | absent | its server ends at once |
 * | deaf | its server runs, and listens to nobody |
 * | mute | its server takes connections, and never says a word |
 * | babbling | its server talks, and nothing of it makes sense |
 * | refusing | its server opens no conversation |
 * | forgetful | its server takes a prompt, and never mentions it again |
 * | mortal | its server dies when it is given a prompt |
 */
const [way = '', ...words] = process.argv.slice(2);

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
    if (way === 'babbling') for (const word of BABBLE) socket.send(word);
    if (way === 'babbling' || way === 'mute') return;
    socket.on('message', (data) => {
      const { id, method } = request.parse(JSON.parse(String(data)));
      if (id !== undefined) answer(socket, method, id);
    });
  });
  server.listen(path);
}

if (words.includes('--version')) console.log('codex-cli 9.9.9');
else if (words.includes('--help')) {
  if (way === 'dumb') stay();
  else console.log(way === 'old' ? 'Usage: codex [PROMPT]' : 'Usage: codex app-server [--listen unix://PATH]');
} else if (!words.includes('--listen') || way === 'absent') {
  console.log('no such option');
  process.exitCode = 3;
} else if (way === 'deaf') stay();
else listen(words.at(-1)?.replace('unix://', '') ?? '');
