import { afterEach, expect, test, vi } from 'vitest';
import { Shell } from '../shell.ts';
import { Input } from '../verb.ts';
import { message } from './message.ts';
import { queue } from './queue.ts';
import { service } from './service.ts';
import { up } from './up.ts';

afterEach(() => vi.unstubAllEnvs());

function shellWithoutRoot(): Shell {
  const flags = { json: true, quiet: true, verbose: false, color: false, yes: true, patrol: false };
  return new Shell({ ...flags, root: '/nowhere/llmc', version: '1.0.0', declarations: [] }, () => expect.unreachable());
}

test.each([
  ['service install', service, new Input(['install'], {})],
  ['service uninstall', service, new Input(['uninstall'], {})],
  ['up --replace', up, new Input([], { replace: true })],
  ['up --replace', up, new Input([], { replace: true, detach: true })],
])('%s is for a person: an agent would choose the supervisor that decides for it', async (name, verb, input) => {
  vi.stubEnv('LLMC_WORKER', 'eve');
  await expect(verb.run(input, shellWithoutRoot())).rejects.toMatchObject({
    code: 'INSIDE_WORKER',
    message: expect.stringContaining(`llmc ${name}`),
  });
});

test.each([
  ['queue cancel', queue, new Input(['cancel', '7'], {})],
  ['queue edit', queue, new Input(['edit', '7'], { prompt: 'x' })],
  ['queue move', queue, new Input(['move', '7'], { first: true })],
  ['message --cancel', message, new Input(['adam'], { cancel: '3f2a91bc' })],
  ['message --edit', message, new Input(['adam', 'x'], { edit: '3f2a91bc' })],
])('%s is for a person: what waits there is not the agent’s own', async (name, verb, input) => {
  vi.stubEnv('LLMC_WORKER', 'eve');
  await expect(verb.run(input, shellWithoutRoot())).rejects.toMatchObject({
    code: 'INSIDE_WORKER',
    message: expect.stringContaining(`llmc ${name}`),
  });
});

test('an agent may read what a service would be', async () => {
  vi.stubEnv('LLMC_WORKER', 'eve');
  await expect(service.run(new Input(['install'], { dryRun: true }), shellWithoutRoot())).rejects.toMatchObject({ code: 'ROOT_NOT_FOUND' });
});
