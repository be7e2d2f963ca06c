import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { memoryFiles } from '../../../test/support/memory-files.ts';
import { programs } from '../../doctor/doubles.ts';
import { serviceText } from '../text/service-text.ts';
import { installService, serviceStatus, uninstallService } from './service.ts';
import type { ServiceFacts } from './service-plan.ts';

const FACTS: ServiceFacts = {
  platform: 'linux',
  home: '/home/u',
  root: '/home/u/llmc',
  isDefaultRoot: true,
  llmc: ['node', 'llmc.cjs'],
  environment: { PATH: '/usr/bin' },
  mark: 'a1b2c3d4',
};
const SHOW = 'systemctl --user show llmc.service --property=UnitFileState,ActiveState,MainPID,NRestarts';
const LINGER = 'loginctl show-user 1000 --property=Linger';
const RUNS = { stdout: 'UnitFileState=enabled\nActiveState=active\nMainPID=42\nNRestarts=2\n' };
const WORKING = {
  'systemctl --user show --property=Version': { stdout: 'Version=252\n' },
  [LINGER]: { stdout: 'Linger=no\n' },
  'systemctl --user daemon-reload': {},
  'systemctl --user enable llmc.service': {},
  'systemctl --user start --no-block llmc.service': {},
  'systemctl --user disable llmc.service': {},
};

function machine(answers: Parameters<typeof programs>[0]) {
  const processes = programs(answers);
  const files = memoryFiles();
  const called = () => processes.calls.map(({ file, args }) => [file, ...args].join(' ')).filter((line) => !/ show|show-user/.test(line));
  const asked: string[] = [];
  const confirmStop = async () => void asked.push('stop?');
  return { ports: { processes, files, uid: 1000, confirmStop }, files, called, asked };
}

describe('with systemd', () => {
  test('install writes the file, enables and starts the service; a second install changes nothing', async () => {
    const { ports, files, called } = machine({ ...WORKING, [SHOW]: { stdout: 'UnitFileState=\nActiveState=inactive\nMainPID=0\n' } });
    const first = await installService(FACTS, ports, dirname);
    expect(first).toMatchObject({
      changed: true,
      installed: true,
      up_to_date: true,
      lingers: false,
      file: '/home/u/.config/systemd/user/llmc.service',
    });
    expect(files.readText(first.file)).toContain('ExecStart=');
    const commands = [
      'systemctl --user daemon-reload',
      'systemctl --user enable llmc.service',
      'systemctl --user start --no-block llmc.service',
    ];
    expect(called()).toEqual(commands);

    const again = machine({ ...WORKING, [SHOW]: RUNS });
    const second = await installService(FACTS, { ...again.ports, files }, dirname);
    expect(second).toMatchObject({ changed: false, enabled: true, pid: 42 });
    expect(again.called()).toEqual([]);
    expect(serviceText(second)).toMatch(
      /^Already installed: llmc\.service .*\n→ It ends when you log out\. To keep it running: loginctl enable-linger\n/,
    );
  });

  test('install after an upgrade that changed the file writes it again', async () => {
    const { ports, files, called } = machine({ ...WORKING, [SHOW]: RUNS });
    files.replace('/home/u/.config/systemd/user/llmc.service', '[Unit]\n');
    expect((await serviceStatus(FACTS, ports)).up_to_date).toBe(false);
    expect(serviceText(await serviceStatus(FACTS, ports))).toContain('llmc service install');
    expect(await installService(FACTS, ports, dirname)).toMatchObject({ changed: true, up_to_date: true });
    expect(called()[0]).toBe('systemctl --user daemon-reload');
  });

  test('uninstall removes the file and does not stop the supervisor; a second uninstall changes nothing', async () => {
    const { ports, files, called } = machine({ ...WORKING, [SHOW]: RUNS });
    files.replace('/home/u/.config/systemd/user/llmc.service', '[Unit]\n');
    expect(serviceText(await uninstallService(FACTS, ports))).toContain('keep running; llmc down stops them');
    expect(called()).toEqual(['systemctl --user disable llmc.service', 'systemctl --user daemon-reload']);
    expect(files.readText('/home/u/.config/systemd/user/llmc.service')).toBeUndefined();
    expect(await uninstallService(FACTS, ports)).toMatchObject({ changed: false });
  });

  test('status shows what systemd says', async () => {
    const { ports, files } = machine({ ...WORKING, [SHOW]: RUNS });
    expect(serviceText(await serviceStatus(FACTS, ports))).toBe('Not installed. Install it: llmc service install');
    files.replace('/home/u/.config/systemd/user/llmc.service', '[Unit]\n');
    expect(serviceText(await serviceStatus(FACTS, ports))).toContain('It is enabled and active, process 42, started again 2 times.');
  });

  test('a command of systemd that fails is reported with what it printed', async () => {
    const refused = { outcome: { kind: 'exited', status: 1 }, stderr: 'Failed to enable unit: Access denied\n' } as const;
    const { ports } = machine({ ...WORKING, [SHOW]: {}, 'systemctl --user enable llmc.service': refused });
    await expect(installService(FACTS, ports, dirname)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'systemctl --user enable llmc.service failed',
      details: 'Failed to enable unit: Access denied',
    });
  });
});

test.each([
  ['linux', 'systemd'],
  ['darwin', 'launchd'],
])('on %s without %s, as in a container, each action names the line for cron and writes nothing', async (platform, kind) => {
  const { ports, files } = machine({});
  const facts = { ...FACTS, platform };
  for (const action of [
    () => installService(facts, ports, dirname),
    () => uninstallService(facts, ports),
    () => serviceStatus(facts, ports),
  ])
    await expect(action()).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining(kind),
      hint: expect.stringContaining('@reboot PATH=/usr/bin node llmc.cjs up --detach --root /home/u/llmc'),
    });
  expect(files.readText('/home/u/.config/systemd/user/llmc.service')).toBeUndefined();
});

test('an installed service in a shell that does not reach systemd, as after su, needs no line for cron', async () => {
  const { ports, files } = machine({});
  files.replace('/home/u/.config/systemd/user/llmc.service', 'x');
  await expect(serviceStatus(FACTS, ports)).rejects.toMatchObject({
    message: 'the service is installed, but systemd does not answer in this shell',
    hint: 'Log in as this user, or type: export XDG_RUNTIME_DIR=/run/user/1000',
  });
});

test('with launchd: the agent is bootstrapped, and a changed file is loaded again', async () => {
  const answers = { 'launchctl print gui/1000': {}, 'launchctl bootstrap gui/1000 /home/u/Library/LaunchAgents/local.llmc.plist': {} };
  const facts = { ...FACTS, platform: 'darwin' };
  const fresh = machine(answers);
  expect(await installService(facts, fresh.ports, dirname)).toMatchObject({ kind: 'launchd', changed: true, enabled: false });
  const loaded = { 'launchctl print gui/1000/local.llmc': { stdout: '\tstate = running\n\tpid = 42\n\truns = 3\n' } };
  const changed = machine({ ...answers, ...loaded, 'launchctl bootout gui/1000/local.llmc': {} });
  changed.files.replace('/home/u/Library/LaunchAgents/local.llmc.plist', 'old');
  expect(await installService(facts, changed.ports, dirname)).toMatchObject({ enabled: true, state: 'running', pid: 42, restarts: 2 });
  const orders = changed.ports.processes.calls.map(({ args }) => args[0]).filter((word) => word !== 'print');
  expect(orders).toEqual(['bootout', 'bootstrap']);
  expect([fresh.asked, changed.asked]).toEqual([[], ['stop?']]);
});

test('with launchd, uninstall asks before it stops the agents, and says that it did; a no changes nothing', async () => {
  const file = '/home/u/Library/LaunchAgents/local.llmc.plist';
  const facts = { ...FACTS, platform: 'darwin' };
  const { ports, files, asked } = machine({
    'launchctl print gui/1000': {},
    'launchctl print gui/1000/local.llmc': { stdout: '\tstate = running\n\tpid = 42\n' },
    'launchctl bootout gui/1000/local.llmc': {},
  });
  files.replace(file, 'old');
  const confirmStop = () => Promise.reject(new Error('no'));
  await expect(uninstallService(facts, { ...ports, confirmStop })).rejects.toThrow('no');
  expect(files.readText(file)).toBe('old');
  expect(ports.processes.calls.map(({ args }) => args[0])).not.toContain('bootout');
  expect(serviceText(await uninstallService(facts, ports))).toContain('launchd has stopped the supervisor and its agents');
  expect(asked).toEqual(['stop?']);
});
