import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { walledTest } from '../support/walled-test.ts';
import { llmcWorld } from '../support/world.ts';

/** A server on loopback outside of the sandbox: the port of an API. */
async function api(): Promise<number> {
  const server = createServer((_, answer) => answer.end('the API'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return z.object({ port: z.number() }).parse(server.address()).port;
}

/** What an agent tries: the API, another server, the API without the proxy, a name, and its environment. */
const PROBE = (allowed: number, other: number) => `
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
const fetched = async (url) => {
  try {
    const answer = await fetch(url);
    return answer.status === 200 ? await answer.text() : String(answer.status);
  } catch {
    return 'refused';
  }
};
const direct = (port) => new Promise((done) => connect(port, '127.0.0.1').on('connect', () => done('reached')).on('error', () => done('no way')));
const lines = [
  'allowed: ' + (await fetched('http://127.0.0.1:${allowed}/')),
  'other: ' + (await fetched('http://127.0.0.1:${other}/')),
  'direct: ' + (await direct(${allowed})),
  'secret: ' + (process.env.MY_SECRET ?? 'absent'),
  'listed: ' + (process.env.MY_SETTING ?? 'absent'),
];
writeFileSync('seen.txt', lines.join('\\n') + '\\n');
`;

walledTest('a root of init --hardened: the agent reaches its API and nothing else, and has the variables of the list only', async () => {
  const [allowed, other] = [await api(), await api()];
  await using world = await llmcWorld({ stage: 'source', source: { files: { 'probe.mjs': PROBE(allowed, other) } } });
  const scenario = { turns: [{ steps: [{ run: `${process.execPath} probe.mjs` }, { commit: 'Probe' }] }] };
  writeFileSync(join(world.scenarios, 'adam.yaml'), JSON.stringify(scenario));
  const printed = await world.ok('init', '--source', world.source, '--agent', 'demo', '--hardened');
  expect(printed).toContain('Every agent runs in a sandbox (bubblewrap), or not at all');

  const file = join(world.root, 'config.toml');
  const written = readFileSync(file, 'utf8');
  expect(written).toContain('kind = "bubblewrap"\nrequired = true\n');
  const config = written
    .replace('hosts = []', `hosts = ["127.0.0.1:${allowed}"]\nreadable = [${JSON.stringify(world.scenarios)}]`)
    .replace('[repo]', '[repo]\nvalidate = ["test -z \\"$MY_SECRET\\" && test \\"$MY_SETTING\\" = on"]')
    .replace('environment = []', 'environment = ["MY_SETTING", "LLMC_TEST_MARK"]');
  writeFileSync(file, `${config}\n[agents.demo]\nargs = ["--scenario", ${JSON.stringify(world.scenarios)}]\n`);
  await world.ok('add', 'adam');
  const env = { MY_SECRET: 'hunter2', MY_SETTING: 'on' };
  expect((await world.run(['up', '--detach'], { env })).status).toBe(0);
  expect((await world.run(['start', '--worker', 'adam', '--prompt', 'Probe'], { env })).status).toBe(0);
  await world.ok('wait', 'adam', '--for', 'needs_review', '--timeout', '90s');
  const { diff } = await world.json(z.object({ diff: z.string() }), 'review', 'adam');
  expect(diff.split('\n').filter((line) => /^\+\w+: /.test(line))).toEqual([
    '+allowed: the API',
    '+other: refused',
    '+direct: no way',
    '+secret: absent',
    '+listed: on',
  ]);

  // The lines of the user run the files of the agent, so they get no more than the agent.
  await world.ok('accept', 'adam');
  expect(await world.ok('doctor')).toMatch(/sandbox.*bubblewrap works, for adam/);
  writeFileSync(file, readFileSync(file, 'utf8').replace('network = "hosts"', 'network = "full"'));
  const checked = await world.run(['doctor']);
  expect(checked.stdout).toContain('the wall that config.toml demands has holes: network is "full"');
});
