import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { llmcWorld, type World } from '../support/world.ts';

const reportSchema = z.object({
  file: z.string().nullable(),
  parts: z.array(z.object({ name: z.string(), bytes: z.number(), redacted: z.number() })),
  left_out: z.array(z.object({ name: z.string(), reason: z.string() })),
});

const random = (start: string) => `${start}Zx8Qw3Er5Ty7Ui9Op1As2Df4Gh6Jk0`;
/** One secret per place, so that a leak names its way out. */
const SECRETS = {
  environment: 'purple-monkey-dishwasher',
  supervisorUrl: 'http://joe:environment-pass@127.0.0.1:9',
  config: 'config-value-of-an-agent',
  configKey: 'swordfish-of-config',
  configArgument: 'argument-of-setup',
  remote: 'remote-url-pass',
  prompt: random('sk-ant-api03-prompt'),
  history: random('ghp_'),
  screen: random('glpat-screen'),
  wrapped: random('sk-proj-wrapped'),
  output: 'basic-auth-of-validation',
  header: random('bearer'),
  fileName: random('npm_fileName'),
  commit: random('hf_commit'),
  event: random('xoxb-event'),
  own: 'ACME-4711',
  transcript: random('sk-ant-transcript'),
} as const;

const boxed = (text: string) => (text.match(/.{1,11}/g) ?? []).map((line) => `│ ${line.padEnd(11)} │`).join('\r\n');

async function plant(world: World): Promise<void> {
  const { root } = world;
  const worktree = world.worktree('adam');
  const log = (name: string, text: string | Buffer) => writeFileSync(join(root, 'logs', name), text);
  await world.gitIn(root, 'remote', 'add', 'planted', `https://joe:${SECRETS.remote}@example.test/x.git`);
  world.write(`a ${SECRETS.fileName}\n..%2f..\u001b[31m.txt`, 'x', worktree);
  await world.gitIn(worktree, 'commit', '--quiet', '--allow-empty', '-m', `use ${SECRETS.commit}`);
  world.write('transcript.jsonl', JSON.stringify({ text: SECRETS.transcript }), worktree);
  rmSync(join(root, 'logs', 'adam.setup.txt'), { force: true });
  execFileSync('mkfifo', [join(worktree, 'a-pipe'), join(root, 'logs', 'adam.setup.txt')]);
  symlinkSync('/dev/zero', join(worktree, 'a-device'));
  symlinkSync(join(worktree, 'transcript.jsonl'), join(root, 'logs', 'adam.format.txt'));
  log(
    'adam.screen-20260101T000000.000Z.txt',
    `\u001b[31m${SECRETS.screen}\u001b[0m\n${boxed(SECRETS.wrapped)}\n${boxed(SECRETS.environment)}`,
  );
  log('adam.screen-../../evil\n20260101T000000.000Z.txt'.replaceAll('/', '_'), SECRETS.transcript);
  const basic = Buffer.from(`joe:${SECRETS.output}`).toString('base64');
  log(
    'adam.validate.txt',
    `> GET /\nAuthorization: Basic ${basic}\n${Buffer.from(SECRETS.environment).toString('base64')}\nBearer ${SECRETS.header}\nfor ${SECRETS.own}\n`,
  );
  log('adam.resolve.txt', Buffer.concat([Buffer.from([0xff, 0xfe, 0x80, 0x0a]), Buffer.from(SECRETS.header)]));
  log('adam.after_accept.txt', `${SECRETS.environment}\n`);
  truncateSync(join(root, 'logs', 'adam.after_accept.txt'), 3_000_000_000);
  using database = new DatabaseSync(join(root, 'llmc.db'));
  database
    .prepare('INSERT INTO history (at_ms, revision, worker, kind, summary, details) VALUES (1, 1, ?, ?, ?, ?)')
    .run('adam', 'exit', `ended: ${SECRETS.history.slice(0, 30)}…`, `${boxed(SECRETS.history)}\n${SECRETS.supervisorUrl}`);
  database
    .prepare(
      "INSERT INTO deliveries (id, seq, worker, purpose, text, changes, fresh_conversation, state, attempt, created_ms) VALUES ('d', 999, 'adam', 'task', ?, '[]', 0, 'done', 1, 1)",
    )
    .run(`Use ${SECRETS.prompt} and ${SECRETS.config}. ${'long '.repeat(400_000)}`);
  database
    .prepare("INSERT INTO events (id, worker, incarnation, name, at_ms, fate, event) VALUES ('e', 'adam', 1, 'Stop', 1, 'garbage', ?)")
    .run(JSON.stringify({ kind: 'ignored', why: SECRETS.event }));
}

const CONFIG = `
[report]
redact = ["ACME-\\\\d+"]
[agents.demo.env]
PLAIN_NAME = "${SECRETS.config}"
DEMO_API_KEY = "${SECRETS.configKey}"
`;

/** Name and content of each file; system tar reads the archive too. */
function unpack(file: string): Map<string, string> {
  const names = execFileSync('tar', ['-tzf', file], { encoding: 'utf8' }).trim().split('\n');
  return new Map(names.map((name) => [name, execFileSync('tar', ['-xzOf', file, name], { encoding: 'utf8' })]));
}

test('the archive of a root with planted secrets holds none of them, whatever an agent left there', async () => {
  await using world = await llmcWorld({ workers: ['adam'], stage: 'root', config: CONFIG });
  world.set('repo', `setup = ["true --token ${SECRETS.configArgument}"]`);
  await plant(world);
  const env = { GREETING: SECRETS.environment, SERVICE_URL: SECRETS.supervisorUrl };
  const file = join(world.dir, 'out.tar.gz');
  const ran = await world.run(['report', '--all', '--output', file, '--yes', '--json'], { env });
  expect(ran.status, ran.stderr).toBe(0);
  const report = reportSchema.parse(JSON.parse(ran.stdout));
  expect(report.file).toBe(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const unpacked = unpack(file);
  const bytes = gunzipSync(readFileSync(file)).toString('latin1');
  const dense = bytes.replace(/[^A-Za-z0-9]/g, '');
  for (const [place, secret] of Object.entries(SECRETS)) {
    const forms = [secret, Buffer.from(secret).toString('base64').slice(0, -4), Buffer.from(secret).toString('hex')];
    for (const form of forms) expect(bytes.includes(form), `${place}: ${form}`).toBe(false);
    expect(dense.includes(secret.replace(/[^A-Za-z0-9]/g, '')), `${place}, in pieces`).toBe(false);
    if (secret.length >= 24) expect(dense.includes(secret.replace(/[^A-Za-z0-9]/g, '').slice(-12)), `the end of ${place}`).toBe(false);
  }
  expect(bytes).not.toMatch(/\u001b/);
  expect([...unpacked.keys()].every((name) => /^[\w./-]+$/.test(name) && !name.includes('..'))).toBe(true);
  for (const name of ['contents.json', 'status.json', 'doctor.json', 'config.json', 'git.json', 'versions.json'])
    expect(unpacked.has(name), name).toBe(true);
  for (const name of ['why.json', 'history.json', 'deliveries.json', 'git.json', 'output-validate.txt', 'screens/20260101T000000.000Z.txt'])
    expect(unpacked.has(`workers/adam/${name}`), name).toBe(true);
  expect(unpacked.has('workers/adam/output-format.txt')).toBe(false);
  expect(unpacked.get('workers/adam/output-validate.txt')).toContain('> GET /');
  expect(bytes.length).toBeLessThan(16 * 1024 * 1024);

  const refusal = await world.refused(['report', '--all', '--output', file]);
  expect(refusal).toMatchObject({ code: 'INVALID_ARGUMENT', message: `${file} exists already` });
  expect(readFileSync(file)).toHaveLength(statSync(file).size);
  expect(await world.refused(['report', '--all', '--output', join(world.dir, 'missing', 'x.tar.gz')])).toMatchObject({
    code: 'INVALID_ARGUMENT',
    hint: `mkdir -p ${join(world.dir, 'missing')}`,
  });
});

test('a report works with a damaged database and state, lists what it could not read, and a dry run writes nothing', async () => {
  await using world = await llmcWorld({ workers: ['adam'], stage: 'root' });
  mkdirSync(join(world.root, 'logs'), { recursive: true });
  writeFileSync(join(world.root, 'llmc.db'), 'not a database '.repeat(1_000));
  for (const name of ['state.json', 'state.json.bak']) writeFileSync(join(world.root, name), '{');
  const listed = reportSchema.parse(JSON.parse(await world.ok('report', '--worker', 'adam', '--dry-run', '--json')));
  expect(listed.file).toBeNull();
  expect(listed.parts.map(({ name }) => name)).toEqual(expect.arrayContaining(['doctor.json', 'workers/adam/git.json']));
  expect(listed.left_out.map(({ name }) => name)).toEqual(expect.arrayContaining(['workers/adam/history.json', 'workers/adam/why.json']));
  expect(listed.left_out.every(({ reason }) => reason !== '')).toBe(true);
  const link = join(world.dir, 'link.tar.gz');
  symlinkSync(join(world.dir, 'elsewhere'), link);
  expect(await world.refused(['report', '--worker', 'adam', '--output', link])).toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect(existsSync(join(world.dir, 'elsewhere'))).toBe(false);
  expect(await world.refused(['report'])).toMatchObject({ code: 'INVALID_ARGUMENT', hint: 'llmc report --all --dry-run' });
  expect(await world.refused(['report', '--worker', '../adam'])).toMatchObject({ status: 2 });
});
