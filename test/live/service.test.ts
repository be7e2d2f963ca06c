import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { commitsOf } from '../support/agent-side.ts';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';

/** What a service manager does with `Restart=on-failure`. */
const SERVICE = 'export LLMC_SERVICE=llmc; until "$@" up --replace >>"$HOME/service.log" 2>&1; do sleep 0.2; done';
const UNIT = process.platform === 'darwin' ? 'Library/LaunchAgents/local.llmc.plist' : '.config/systemd/user/llmc.service';
const upResult = z.object({ pid: z.int(), replaced: z.int().nullable() });

const pidOf = async (world: World): Promise<number | null> => (await world.status()).supervisor.pid;

/** Waits for another supervisor than this one. */
async function nextSupervisor(world: World, before: number | null): Promise<number> {
  await until('the service to start the supervisor again', async () => ![null, before].includes(await pidOf(world)));
  return await world.supervisorPid();
}

test('under a service, a supervisor that is killed or replaced comes back by itself, and one that is stopped does not', async () => {
  await using world = await llmcWorld({ workers: ['adam'], stage: 'root' });
  world.write(UNIT, '[Unit]\n', world.home);
  const service = world.shell(SERVICE);
  const first = await nextSupervisor(world, null);
  await until('adam to be up', async () => (await world.worker('adam')).status === 'idle');
  const agent = await world.panePid('adam');

  process.kill(first, 'SIGKILL');
  const second = await nextSupervisor(world, first);
  expect(await world.panePid('adam')).toBe(agent);

  const replaced = await world.json(upResult, 'up', '--replace', '--detach');
  expect(replaced).toMatchObject({ replaced: second });
  expect(await world.panePid('adam')).toBe(agent);
  expect(readFileSync(join(world.root, 'run/owner.json'), 'utf8')).toContain('"service":"llmc"');
  // The agents do not see the service.
  const environment = readFileSync(`/proc/${agent}/environ`, 'utf8');
  expect(environment).not.toContain('LLMC_SERVICE');

  await world.ok('down');
  expect(await service).toMatchObject({ status: 0 });
  expect((await world.status()).supervisor.running).toBe(false);

  // After "service uninstall" nothing starts the supervisor again.
  // Without its earlier starts it need not wait.
  rmSync(join(world.root, 'run/service-starts.json'));
  const uninstalled = world.shell(SERVICE);
  const last = await nextSupervisor(world, null);
  rmSync(join(world.home, UNIT));
  expect(await world.json(upResult, 'up', '--replace', '--detach')).toMatchObject({ replaced: last });
  expect(readFileSync(join(world.root, 'run/owner.json'), 'utf8')).not.toContain('"service"');
  expect(await uninstalled).toMatchObject({ status: 0 });
});

const SLOW = `
turns:
  - steps:
      - edit: { path: notes.txt, content: "half\\n" }
      - run: until [ -e "$HOME/gate" ]; do sleep 0.1; done
      - edit: { path: notes.txt, append: "whole\\n" }
      - commit: "{{task}}"
`;

test('up after a reboot: sessions gone, sockets left over, process ids reused; the task continues and ends with one commit', async () => {
  await using world = await llmcWorld({ workers: ['adam', 'baker'], scenario: SLOW });
  await world.ok('start', '--worker', 'adam', '--prompt', 'Survive');
  const notes = join(world.worktree('adam'), 'notes.txt');
  await until('the agent to be in the middle', async () => existsSync(notes) && readFileSync(notes, 'utf8') === 'half\n');

  await world.cutPower();
  for (const socket of ['api.sock', 'tmux.sock']) expect(existsSync(join(world.root, 'run', socket))).toBe(true);
  // After the boot, another process has the number of the supervisor.
  writeFileSync(join(world.root, 'run/owner.json'), JSON.stringify({ pid: process.pid, what: 'up', since_unix: 1 }));

  await world.comeUp();
  world.write('gate', '', world.home);
  await world.ok('wait', 'adam', '--for', 'needs_review', '--timeout', '90s');
  expect(await commitsOf(world, 'adam')).toEqual(['Survive']);
  expect(readFileSync(notes, 'utf8')).toBe('half\nwhole\n');
  expect(await world.worker('baker')).toMatchObject({ status: 'idle', attention: null });
});

test('service install --dry-run prints the file and writes nothing, also where no service manager runs', async () => {
  await using world = await llmcWorld({ stage: 'root' });
  const shown = await world.json(z.object({ kind: z.string(), file: z.string(), text: z.string() }), 'service', 'install', '--dry-run');
  expect(await world.ok('service', 'install', '--dry-run')).toBe(shown.text);
  expect(shown.text).toContain(world.root);
  expect(existsSync(shown.file)).toBe(false);
  expect(await world.refused(['service', 'uninstall', '--dry-run'])).toMatchObject({ code: 'INVALID_ARGUMENT' });
  // Without a folder with programs there is no service manager.
  const alone = { env: { PATH: '/nonexistent' } };
  expect(await world.refused(['service', 'install'], alone)).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    hint: expect.stringContaining('@reboot PATH=/nonexistent '),
  });
  expect(existsSync(shown.file)).toBe(false);
});
