// Usage: node scripts/ensure-system.mjs [--if-possible] <program>...
// Makes sure that programs npm cannot bring (tmux, git) are there. Runs on any Node from 18 on. With --if-possible, a program
// that cannot be installed is only named.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Packages with another name than their program, the same in all three installers. */
const PACKAGES = { bwrap: 'bubblewrap' };

/** The installers, in the order of the search. */
const INSTALLERS = [
  {
    program: 'brew',
    asRoot: false,
    install: (names) => ['brew', 'install', ...names],
  },
  {
    program: 'apt-get',
    asRoot: true,
    install: (names) => ['apt-get', 'install', '--yes', '--no-install-recommends', ...names],
    // A fresh Debian image has no package lists at all, an old machine has stale ones.
    refresh: ['apt-get', 'update'],
  },
  {
    program: 'dnf',
    asRoot: true,
    install: (names) => ['dnf', 'install', '--assumeyes', ...names],
  },
];

const wanted = process.argv.slice(2).filter((word) => word !== '--if-possible');
const isOptional = process.argv.includes('--if-possible');
if (missing().length > 0) {
  const status = provide(missing());
  process.exitCode = isOptional ? 0 : status;
}

function provide(names) {
  const installer = INSTALLERS.find(({ program }) => onPath(program));
  if (installer === undefined) return report(names, 'Install them with the package manager of this system.');
  const packages = (programs) => programs.map((name) => PACKAGES[name] ?? name);
  const command = installer.install(packages(names));
  const prefix = installer.asRoot ? privileges() : [];
  if (prefix === undefined) return report(names, `Type${onPath('sudo') ? ': sudo' : ' as root:'} ${command.join(' ')}`);

  console.error(`Installing ${names.join(' and ')} with ${installer.program} ...`);
  if (!run([...prefix, ...command]) && installer.refresh && run([...prefix, ...installer.refresh])) run([...prefix, ...command]);
  const still = missing();
  if (still.length === 0) return 0;
  return report(still, `Type: ${[...prefix.slice(0, 1), ...installer.install(packages(still))].join(' ')}`);
}

function report(names, advice) {
  console.error(`Missing: ${names.join(', ')}. ${advice}`);
  return 1;
}

/** What goes before a command that needs root; undefined when that would ask for a password. sudo drops the environment, hence `env`. */
function privileges() {
  if (process.getuid?.() === 0) return [];
  return onPath('sudo') && run(['sudo', '-n', 'true'], 'ignore') ? ['sudo', '-n', 'env', 'DEBIAN_FRONTEND=noninteractive'] : undefined;
}

function run([file, ...args], stdio = 'inherit') {
  return spawnSync(file, args, { stdio, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0;
}

function missing() {
  return wanted.filter((name) => !onPath(name));
}

function onPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && isExecutable(join(folder, name)));
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
