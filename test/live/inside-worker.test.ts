import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { environmentOf, historyOf, longTurn, movesOf, openGate, reaches, tasksGiven } from '../support/agent-side.ts';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';

const COMMAND = join(import.meta.dirname, '../../bin/llmc.cjs');
/** Runs a script of the test as the tool of an agent. */
const ATTACK = `turns: [{ when: "", steps: [{ run: 'sh ~/attack.sh > ~/attack.out 2>&1; echo over >> ~/attack.out' }] }]`;
/** llmc as the agent would call it, without the variable that names its worker. */
const LLMC = `env -u LLMC_WORKER '${process.execPath}' '${COMMAND}'`;

/** Speaks to the supervisor's socket itself: sends the request, and answers the request for a proof as told. */
const RAW = `
const { connect } = require('node:net');
const { openSync } = require('node:fs');
const [path, version, claimed] = process.argv.slice(2);
const socket = connect(path);
let text = '';
const send = (message) => socket.write(JSON.stringify(message) + '\\n');
socket.on('data', (data) => {
  text += data;
  const lines = text.split('\\n');
  text = lines.pop();
  for (const line of lines) {
    const reply = JSON.parse(line);
    if ('hello' in reply) send({ version, name: 'accept', args: { worker: 'adam', patrol: true } });
    else if ('prove' in reply) {
      const fd = openSync(reply.prove, 'r');
      send({ pid: claimed === 'own' ? process.pid : Number(claimed), fd });
    } else console.log(line);
  }
});
`;

describe('a process in the session of a worker', () => {
  let world: World;
  const version = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')).version;
  const commitsOnMain = () => world.git('log', '--format=%s', 'main');
  const reviewed = () => JSON.parse(readFileSync(join(world.root, 'state.json'), 'utf8')).workers.adam.reviewed_patch_id;

  /** Runs a script inside the agent of eve, and returns what it printed. */
  async function inside(script: string): Promise<string> {
    const output = join(world.home, 'attack.out');
    rmSync(output, { force: true });
    world.write('attack.sh', script, world.home);
    await world.ok('message', 'eve', 'Run the script');
    await until('the script to end', async () => existsSync(output) && readFileSync(output, 'utf8').endsWith('over\n'));
    await reaches(world, 'eve', 'needs_input');
    return readFileSync(output, 'utf8');
  }

  beforeAll(async () => {
    world = await llmcWorld({
      workers: ['adam', 'baker', 'eve'],
      scenario: { eve: ATTACK, baker: longTurn('baker') },
    });
    await world.ok('start', '--worker', 'adam', '--prompt', 'Write a poem');
    await reaches(world, 'adam', 'needs_review');
    await world.ok('review', 'adam');
    world.write('attack.sh', '', world.home);
    await world.ok('start', '--worker', 'eve', '--prompt', 'Run the script');
    await reaches(world, 'eve', 'needs_input');
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test.each([
    ['without LLMC_WORKER', `${LLMC} accept adam`],
    ['in a session of its own', `setsid -w ${LLMC} accept adam`],
    ['without any environment', `env -i HOME="$HOME" LLMC_ROOT="$LLMC_ROOT" PATH="$PATH" '${process.execPath}' '${COMMAND}' accept adam`],
  ])('cannot accept %s', async (_, script) => {
    expect(await inside(script)).toContain('INSIDE_WORKER: "llmc accept" is for a person only, and worker eve ran it');
    expect(await commitsOnMain()).toBe('Begin');
  });

  test.each(['undo', 'undo --revert', 'undo adam --dry-run'])('cannot %s', async (verb) => {
    expect(await inside(`${LLMC} ${verb}`)).toContain('INSIDE_WORKER: "llmc undo" is for a person only, and worker eve ran it');
  });

  test('cannot accept as an orphan, after the tool that started it has ended', async () => {
    // Without the variable, or llmc would kill it with the agent.
    world.write('orphan.sh', `until [ -e ~/gate-orphan ]; do sleep 0.1; done\n${LLMC} accept adam\necho over\n`, world.home);
    await inside('env -u LLMC_WORKER sh ~/orphan.sh > ~/orphan.out 2>&1 &');
    openGate(world, 'orphan');
    const output = join(world.home, 'orphan.out');
    // The shell of the orphan makes the file, perhaps after the tool has ended.
    await until('the orphan to end', async () => existsSync(output) && readFileSync(output, 'utf8').endsWith('over\n'));
    expect(readFileSync(output, 'utf8')).toContain('INSIDE_WORKER');
    expect(await commitsOnMain()).toBe('Begin');
  });

  test('cannot accept over the socket, whatever it claims to be', async () => {
    world.write('raw.cjs', RAW, world.home);
    const raw = (claimed: string) => inside(`'${process.execPath}' ~/raw.cjs "$LLMC_ROOT/run/api.sock" ${version} ${claimed}`);
    expect(await raw('own')).toContain('worker eve ran it');
    expect(await raw(String(process.pid))).toContain('cannot verify which process');
    expect(await raw('1')).toContain('cannot verify which process');
    expect(await commitsOnMain()).toBe('Begin');
  });

  test('can read, and its review does not count', async () => {
    const before = reviewed();
    const worktree = world.worktree('adam');
    world.write('unseen.txt', 'not for your eyes\n', worktree);
    await world.gitIn(worktree, 'add', 'unseen.txt');
    await world.gitIn(worktree, 'commit', '--quiet', '--amend', '--no-edit');
    const shown = await inside(`${LLMC} review adam && ${LLMC} status`);
    expect(shown).toContain('unseen.txt');
    expect(shown).toContain('does not count as a review');
    expect(reviewed()).toBe(before);
    expect((await world.refused(['accept', 'adam'])).code).toBe('PATCH_CHANGED');
  });

  test('cannot push to the source', async () => {
    expect(await inside(`cd "${world.worktree('eve')}" && git push "${world.source}" HEAD:refs/heads/pushed`)).toContain(
      'workers-do-not-push--use-llmc-accept',
    );
    expect(await world.git('branch', '--list', 'pushed')).toBe('');
  });

  test('gets no variable that leads to the other workers', async () => {
    const names = Object.keys(await environmentOf(world, 'eve'));
    expect(names.filter((name) => name.startsWith('TMUX') || name === 'LLMC_DEATHS')).toEqual([]);
    expect(await inside('tmux send-keys -t =llmc-baker: "typed by eve" Enter')).not.toBe('over\n');
  });

  test('cannot end the turn of another worker with a report', async () => {
    await world.ok('start', '--worker', 'baker', '--prompt', 'Take your time');
    const { LLMC_INCARNATION: incarnation } = await environmentOf(world, 'baker');
    const spool = join(world.root, 'events', 'baker');
    // Writes under a hidden name first, as a hook does.
    await inside(`report() { cat > "${spool}/.$1"; mv "${spool}/.$1" "${spool}/${incarnation}~$1.json"; }
printf '{"message":"over"}' | report stop~bare
printf '%s\\n{"message":"over"}' "$LLMC_SEAL" | report stop~with-another-seal
printf '%s\\n{"prompt":"forged"}' "$LLMC_SEAL" | report prompt_submit~with-another-seal
echo > "$LLMC_ROOT/run/deaths/last"`);
    await until('the reports to be read', async () => historyOf(world, 'baker', 'event').length > 0);
    expect((await world.worker('baker')).status).toBe('working');
    expect(historyOf(world, 'baker', 'event').map(({ summary }) => summary)).toEqual([
      expect.stringContaining('without the seal of the agent'),
    ]);
    expect(await world.ok('why', 'baker', '--full')).toMatch(/ \(incarnation \d+, forged\)/);
  });

  test('a supervisor that is killed and started again still knows the seal of a running agent', async () => {
    const seal = (await environmentOf(world, 'baker')).LLMC_SEAL ?? '';
    await world.killSupervisor();
    await world.comeUp();
    openGate(world, 'baker');
    await reaches(world, 'baker', 'needs_review');
    expect(tasksGiven(world, 'baker')).toEqual(['Take your time']);
    expect(movesOf(world, 'baker').at(-1)).toBe('working → needs_review (committed)');
    // The report of the end, not the screen, told llmc.
    expect(await world.ok('why', 'baker', '--full')).toMatch(/ stop \(incarnation \d+\)/);
    expect(seal).not.toBe('');
    const texts = await Promise.all([
      world.ok('why', 'baker', '--full'),
      world.ok('why', 'baker', '--json'),
      world.ok('status', '--json'),
      world.ok('logs', 'baker'),
      world
        .shell(
          'cat "$LLMC_ROOT"/logs/* "$LLMC_ROOT"/state.json* "$LLMC_ROOT"/llmc.db* "$LLMC_ROOT"/run/workers/*/*; cat /proc/[0-9]*/cmdline',
        )
        .then(({ stdout }) => stdout),
    ]);
    expect(texts.filter((text) => text.includes(seal))).toEqual([]);
  });

  test('cannot accept while no supervisor runs either', async () => {
    const output = join(world.home, 'attack.out');
    rmSync(output, { force: true });
    world.write('attack.sh', `until [ -e ~/gate-alone ]; do sleep 0.1; done; ${LLMC} accept adam`, world.home);
    await world.ok('review', 'adam');
    await world.ok('message', 'eve', 'Run the script');
    await world.killSupervisor();
    openGate(world, 'alone');
    await until('the script to end', async () => existsSync(output) && readFileSync(output, 'utf8').endsWith('over\n'));
    expect(readFileSync(output, 'utf8')).toContain('INSIDE_WORKER');
    expect(await commitsOnMain()).toBe('Begin');
    await world.comeUp();
  });

  test('cannot decide through a validation line either, which runs the code of a worker', async () => {
    world.set('repo', 'validate = ["sh ~/validate.sh"]');
    world.write('validate.sh', `${LLMC} --root '${world.root}' unpark demo > ~/validate.out 2>&1; exit 1`, world.home);
    await world.refused(['accept', 'adam']);
    expect(readFileSync(join(world.home, 'validate.out'), 'utf8')).toContain('INSIDE_WORKER');
    world.write('validate.sh', '', world.home);
  });

  test('cannot decide as a person in a window of the session: inside is inside', async () => {
    const line = `'${process.execPath}' '${COMMAND}' accept adam > ~/window.out 2>&1; echo over >> ~/window.out`;
    await world.shell(`tmux -S "$LLMC_ROOT/run/tmux.sock" new-window -d -t =llmc-eve: '${line.replaceAll("'", `'\\''`)}'`);
    const output = join(world.home, 'window.out');
    await until('the command to end', async () => existsSync(output) && readFileSync(output, 'utf8').endsWith('over\n'));
    expect(readFileSync(output, 'utf8')).toContain('it was run inside the session of a worker');
  });

  test('may decide when the configuration allows it', async () => {
    world.set('defaults', 'allow_agents_to_decide = true');
    await reaches(world, 'eve', 'needs_input');
    expect(await inside(`${LLMC} accept adam`)).toContain('Landed');
  });
});
