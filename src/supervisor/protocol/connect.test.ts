import { createServer, type Server } from 'node:http';
import { expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import { until } from '../../../test/support/scratch-tmux.ts';
import type { Agent } from '../../agents/agent.ts';
import { demoAgent } from '../../agents/demo/adapter.ts';
import type { LaunchRequest } from '../../agents/launch.ts';
import type { Dialogue } from '../../agents/protocol.ts';
import { messageOf } from '../../base/error.ts';
import { connectMessages } from '../../system/message-socket.ts';
import { aConfig, aState, aWorker } from '../../workers/samples.ts';
import { isOpen, newProtocolSession } from '../observe/protocol-session.ts';
import { aWatch } from '../samples.ts';
import { keepConnected } from './connect.ts';

/** Opens its conversation at the first word it hears, or says why not. */
function aDialogue(problem?: string): Dialogue {
  let heard = false;
  return {
    hello: () => ['hello'],
    receive: () => {
      heard = true;
      return { send: [], events: [] };
    },
    get conversationId() {
      return heard && problem === undefined ? 'c-1' : null;
    },
    get problem() {
      return heard ? problem : undefined;
    },
    ...{ live: undefined, timesRead: 0, fateOf: () => 'unknown' },
    ...{ prompt: () => undefined, readAgain: () => undefined, interrupt: () => undefined },
    ...{ answer: () => undefined, startOver: () => undefined },
  };
}

/** A worker whose agent is spoken to over a socket nobody listens on yet. */
function aLine(dialogue: (request: LaunchRequest) => Dialogue, used: boolean) {
  const scratch = scratchStore(aState(aWorker({ agent: 'demo', conversation_id: 'c-1', conversation_used: used })));
  const store = scratch.open();
  const { layout, clock } = scratch;
  const agent: Agent = {
    ...demoAgent,
    protocol: {
      ...{ probe: [], isSupported: () => true, longestPrompt: 0, dialogue },
      ...{ server: demoAgent.launch, viewer: demoAgent.launch },
    },
  };
  const [watch, protocol, config] = [aWatch({ now: clock.now() }), newProtocolSession(), aConfig()];
  const servers: Server[] = [];
  return {
    protocol,
    remembers(conversationId: string): void {
      watch.reported = { ...watch.reported, conversationId };
    },
    /** What a pass says is wrong. */
    pass(afterMs = 0): string | undefined {
      clock.set(clock.now() + afterMs);
      try {
        keepConnected({ store, layout, clock, connectMessages }, watch, protocol, agent, config, () => undefined);
        return undefined;
      } catch (error) {
        return messageOf(error);
      }
    },
    /** Passes until its conversation is open. Time stands still while a connection is being made: that one has patience, and the machine may be slow. */
    async opens(): Promise<void> {
      const passes = () => this.pass(protocol.connection.channel === undefined ? 6_000 : 0);
      await until('the conversation to open', async () => passes() === undefined && isOpen(protocol));
    },
    async listen(): Promise<void> {
      const server = createServer();
      new WebSocketServer({ server }).on('connection', (socket) => socket.on('message', (data) => socket.send(String(data))));
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

const settled = (line: ReturnType<typeof aLine>) =>
  until('the connection to end', async () => line.protocol.connection.channel?.ended !== undefined);

test('nobody listens: told after a while in the same words, tried for ever, and over once somebody does', async () => {
  using line = aLine(() => aDialogue(), true);
  expect(line.pass()).toBeUndefined();
  await settled(line);
  const told = new Set<string | undefined>();
  for (let passes = 0; passes < 6; passes += 1) {
    told.add(line.pass(31_000));
    if (line.protocol.connection.channel !== undefined) await settled(line);
  }
  expect([...told]).toEqual([expect.stringContaining('llmc cannot connect to it')]);

  await line.listen();
  await line.opens();
  expect(line.protocol.connection).toMatchObject({ failures: 0, trouble: undefined, closedSince: undefined });
});

test('a conversation in use that does not open: once is nothing, then it is told once and tried on', async () => {
  using line = aLine(() => aDialogue('the record is gone'), true);
  await line.listen();
  const heardAgain = () => until('it to be refused', async () => line.protocol.connection.channel?.dialogue.problem !== undefined);
  line.pass();
  await heardAgain();
  expect(line.pass()).toBeUndefined();
  const told = new Set<string | undefined>();
  for (let times = 0; times < 4; times += 1) {
    line.pass(6_000);
    await heardAgain();
    told.add(line.pass());
  }
  expect([...told]).toEqual(['the agent of adam cannot open its conversation: the record is gone']);
});

test('a conversation that holds nothing and does not open is replaced by a new one', async () => {
  const asked: string[] = [];
  using line = aLine((request) => {
    asked.push(request.conversation.kind);
    return aDialogue(request.conversation.kind === 'resume' ? 'no such record' : undefined);
  }, false);
  line.remembers('c-1');
  await line.listen();
  line.pass();
  await until('it to be refused', async () => line.protocol.connection.channel?.dialogue.problem !== undefined);
  await line.opens();
  expect(asked).toEqual(['resume', 'fresh']);
});
