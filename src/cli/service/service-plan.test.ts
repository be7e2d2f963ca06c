import { expect, test } from 'vitest';
import { cronLine } from './cron-line.ts';
import { planService, type ServiceFacts } from './service-plan.ts';

const FACTS: ServiceFacts = {
  platform: 'linux',
  home: '/home/u',
  root: '/home/u/llmc',
  isDefaultRoot: true,
  llmc: ['/usr/bin/node', '/opt/llmc/bin/llmc.cjs'],
  environment: { PATH: '/usr/bin:/home/u/bin', LANG: 'C.UTF-8', ANTHROPIC_API_KEY: 'secret' },
  mark: 'a1b2c3d4',
};
const linesOf = (facts: Partial<ServiceFacts>, name: string) =>
  planService({ ...FACTS, ...facts })
    .text.split('\n')
    .filter((line) => line.startsWith(`${name}=`));

test('the unit of the default root: where it lies, what it starts, and how', () => {
  const { kind, name, file, text } = planService(FACTS);
  expect({ kind, name, file }).toEqual({ kind: 'systemd', name: 'llmc.service', file: '/home/u/.config/systemd/user/llmc.service' });
  expect(text).toBe(`# Written by llmc service install; llmc service uninstall removes it.
[Unit]
Description=llmc supervisor of /home/u/llmc
StartLimitIntervalSec=0

[Service]
Type=notify
NotifyAccess=all
Environment="PATH=/usr/bin:/home/u/bin"
Environment="LANG=C.UTF-8"
Environment="LLMC_SERVICE=llmc"
ExecStart=/usr/bin/env "/usr/bin/node" "/opt/llmc/bin/llmc.cjs" "up" "--replace" "--root" "/home/u/llmc"
KillMode=process
TimeoutStartSec=infinity
TimeoutStopSec=60
Restart=on-failure
RestartSec=5
RestartSteps=6
RestartMaxDelaySec=300
WatchdogSec=300

[Install]
WantedBy=default.target
`);
});

test.each([
  ['a space', '/home/u/my root', '"/home/u/my root"'],
  ['a quote', '/a"b', '"/a\\"b"'],
  ['a backslash', '/a\\b', '"/a\\\\b"'],
  ['a specifier of systemd', '/100%h', '"/100%%h"'],
  ['a variable', '/$HOME/x', '"/$$HOME/x"'],
  ['a semicolon', '/a;b', '"/a;b"'],
])('a root with %s is one word of the command line', (_, root, word) => {
  expect(linesOf({ root }, 'ExecStart')).toEqual([expect.stringMatching(/^ExecStart=\/usr\/bin\/env /)]);
  expect(linesOf({ root }, 'ExecStart')[0]?.endsWith(` ${word}`)).toBe(true);
});

test('a variable may hold a dollar sign, which systemd does not expand there', () => {
  expect(linesOf({ environment: { PATH: '/a$b/100%:/c"d' } }, 'Environment')[0]).toBe('Environment="PATH=/a$b/100%%:/c\\"d"');
});

test.each([
  ['linux', { root: '/a\nExecStartPost=/bin/evil' }],
  ['darwin', { root: '/a\u0007b' }],
  ['linux', { environment: { PATH: '/a\n/b' } }],
])('on %s a control character is refused: %o', (platform, facts) => {
  expect(() => planService({ ...FACTS, platform, ...facts })).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
});

test('a root that ends in a backslash is refused: it would join the description with the next line', () => {
  expect(() => planService({ ...FACTS, root: '/home/u/a\\' })).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
});

test('another root has a service of its own, and XDG_CONFIG_HOME is respected', () => {
  const { name, file } = planService({ ...FACTS, isDefaultRoot: false, environment: { XDG_CONFIG_HOME: '/etc/me' } });
  expect({ name, file }).toEqual({ name: 'llmc-a1b2c3d4.service', file: '/etc/me/systemd/user/llmc-a1b2c3d4.service' });
});

test('the launchd agent: its strings are escaped, and tmux outlives it', () => {
  const { kind, name, file, text } = planService({ ...FACTS, platform: 'darwin', home: '/Users/u', root: '/Users/u/a & <b>' });
  expect({ kind, name, file }).toEqual({ kind: 'launchd', name: 'local.llmc', file: '/Users/u/Library/LaunchAgents/local.llmc.plist' });
  expect(text).toContain('<string>/Users/u/a &amp; &lt;b&gt;</string>');
  expect(text).toMatch(/<key>AbandonProcessGroup<\/key>\n {2}<true\/>/);
  expect(text).toMatch(/<key>SuccessfulExit<\/key>\n {4}<false\/>/);
});

test('no secret of the environment gets into the file', () => {
  for (const platform of ['linux', 'darwin']) expect(planService({ ...FACTS, platform }).text).not.toContain('secret');
});

test.each([
  [undefined, '/root', '@reboot node llmc.cjs up --detach --root /root'],
  ['/a b', '/my root', "@reboot PATH='/a b' node llmc.cjs up --detach --root '/my root'"],
  ['/bin', '/100%', '@reboot PATH=/bin node llmc.cjs up --detach --root /100\\%'],
])('the line for cron with PATH %s and root %s', (path, root, line) => {
  expect(cronLine(['node', 'llmc.cjs'], root, path)).toBe(line);
});
