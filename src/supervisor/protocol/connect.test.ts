import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import { until } from '../../../test/support/scratch-tmux.ts';
import type { Agent } from '../../agents/agent.ts';
import { demoAgent } from '../../agents/demo/adapter.ts';
import type { LaunchRequest } from '../../agents/launch.ts';
import type { Dialogue } from '../../agents/protocol.ts';
import { describeError } from '../../base/error.ts';
import { connectMessages } from '../../system/message-socket.ts';
import { aConfig, aState, aWorker } from '../../workers/samples.ts';
import { isOpen, newProtocolSession } from '../observe/protocol-session.ts';
import { aWatch } from '../samples.ts';
import { keepConnected } from './connect.ts';

/** Opens its conversation at the first message it receives, or reports why not. */
function aDialogue(problem?: string, hasLost = false): Dialogue {
  let received = false;
  return {
    hello: () => ['hello'],
    receive: () => {
      received = true;
      return { send: [], events: [] };
    },
    get conversationId() {
      return received && problem === undefined ? 'c-1' : null;
    },
    get problem() {
      return received ? problem : undefined;
    },
    live: undefined,
    hasLost,
    timesRead: 0,
    fateOf: () => 'unknown',
    prompt: () => undefined,
    readAgain: () => undefined,
    interrupt: () => undefined,
    answer: () => undefined,
    startOver: () => undefined,
  };
}

/** A worker on the protocol channel, whose socket has no listener yet. */
function aConnection(dialogue: (request: LaunchRequest) => Dialogue, used: boolean) {
  const scratch = scratchStore(aState(aWorker({ agent: 'demo', conversation_id: 'c-1', conversation_used: used })));
  const store = scratch.open();
  const { layout, clock } = scratch;
  const agent: Agent = {
    ...demoAgent,
    protocol: {
      probe: [],
      isSupported: () => true,
      longestPrompt: 0,
      dialogue,
      server: demoAgent.launch,
      viewer: demoAgent.launch,
    },
  };
  const [watch, protocol, config] = [aWatch({ now: clock.now() }), newProtocolSession(), aConfig()];
  const servers: Server[] = [];
  return {
    protocol,
    remembers(conversationId: string): void {
      watch.reported = { ...watch.reported, conversationId };
    },
    /** The trouble that a pass reports. */
    pass(afterMs = 0): string | undefined {
      clock.set(clock.now() + afterMs);
      try {
        keepConnected({ store, layout, clock, connectMessages }, watch, protocol, agent, config, () => undefined);
        return undefined;
      } catch (error) {
        return describeError(error);
      }
    },
    /** Runs passes until the conversation is open. Time stands still while llmc connects: a connection has patience, and the machine may be slow. */
    async opens(): Promise<void> {
      const passes = () => this.pass(protocol.connection.channel === undefined ? 6_000 : 0);
      await until('the conversation to open', async () => passes() === undefined && isOpen(protocol));
    },
    async listen(): Promise<void> {
      const server = createServer();
      new WebSocketServer({ server }).on('connection', (socket) => socket.on('message', (data) => socket.send(String(data))));
      mkdirSync(dirname(layout.agentSocket('adam')), { recursive: true });
      await new Promise<void>((resolve) => server.listen(layout.agentSocket('adam'), resolve));
      servers.push(server);
    },
    [Symbol.dispose](): void {
      protocol.connection.channel?.close();
      for (const server of servers) server.close();
      scratch[Symbol.dispose]();
    },
  };
}

const settled = (worker: ReturnType<typeof aConnection>) =>
  until('the connection to end', async () => worker.protocol.connection.channel?.ended !== undefined);

test('without a listener: reported after a while with the same text, tried forever, and over once a server listens', async () => {
  using worker = aConnection(() => aDialogue(), true);
  expect(worker.pass()).toBeUndefined();
  await settled(worker);
  const reported = new Set<string | undefined>();
  for (let passes = 0; passes < 6; passes += 1) {
    reported.add(worker.pass(31_000));
    if (worker.protocol.connection.channel !== undefined) await settled(worker);
  }
  expect([...reported]).toEqual([expect.stringContaining('llmc cannot connect to it')]);

  await worker.listen();
  await worker.opens();
  expect(worker.protocol.connection).toMatchObject({ failures: 0, trouble: undefined, closedSince: undefined });
});

test('a used conversation that does not open: the first failure is ignored, the next is reported once, and llmc keeps trying', async () => {
  using worker = aConnection(() => aDialogue('the record is gone'), true);
  await worker.listen();
  const refusedAgain = () => until('it to be refused', async () => worker.protocol.connection.channel?.dialogue.problem !== undefined);
  worker.pass();
  await refusedAgain();
  expect(worker.pass()).toBeUndefined();
  const reported = new Set<string | undefined>();
  for (let times = 0; times < 4; times += 1) {
    worker.pass(6_000);
    await refusedAgain();
    reported.add(worker.pass());
  }
  expect([...reported]).toEqual(['the agent of adam cannot open its conversation: the record is gone']);
});

test('a used conversation that the agent does not have is given up at the second refusal, and not reported', async () => {
  using worker = aConnection(() => aDialogue('no rollout found', true), true);
  await worker.listen();
  const { connection } = worker.protocol;
  const refused = () => until('it to be refused', async () => connection.channel?.dialogue.problem !== undefined);
  worker.pass();
  await refused();
  expect(worker.pass()).toBeUndefined();
  expect(connection.lost).toBeUndefined();
  worker.pass(6_000);
  await refused();
  expect(worker.pass()).toBeUndefined();
  expect(connection.lost).toBe('no rollout found');
});

test('an empty conversation that does not open is replaced by a new one', async () => {
  const asked: string[] = [];
  using worker = aConnection((request) => {
    asked.push(request.conversation.kind);
    return aDialogue(request.conversation.kind === 'resume' ? 'no such record' : undefined);
  }, false);
  worker.remembers('c-1');
  await worker.listen();
  worker.pass();
  await until('it to be refused', async () => worker.protocol.connection.channel?.dialogue.problem !== undefined);
  await worker.opens();
  expect(asked).toEqual(['resume', 'fresh']);
});

test('llmc opens another conversation over an old connection: it waits for it, and gives up only on a server that hangs', async () => {
  let opening = false;
  using worker = aConnection(() => {
    const dialogue = aDialogue();
    return Object.defineProperty({ ...dialogue }, 'conversationId', { get: () => (opening ? null : dialogue.conversationId) });
  }, true);
  await worker.listen();
  await worker.opens();
  const { channel } = worker.protocol.connection;
  worker.pass(60_000);
  opening = true;
  worker.pass(100);
  worker.pass(20_000);
  expect(channel?.ended).toBeUndefined();
  opening = false;
  worker.pass(100);
  expect(worker.protocol.connection).toMatchObject({ channel, closedSince: undefined });
  opening = true;
  worker.pass(100);
  worker.pass(31_000);
  expect(channel?.ended).toBe('closed by llmc');
});
