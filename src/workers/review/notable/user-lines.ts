import { posix } from 'node:path';
import type { Config } from '../../../config/schema.ts';
import { type Git, read } from '../../../git/run.ts';
import { parseSettings } from '../../../git/source/local-config.ts';

/** A command that runs by the user's order, and where. */
export interface UserLine {
  /** Where it is configured: `[repo] validate`. */
  readonly from: string;
  readonly command: string;
  /** The folder of the repository that it runs in; empty at the top. */
  readonly folder: string;
  /** The command is a folder, and everything below it runs. */
  readonly isFolder?: true;
}

/** Settings of git whose value is a command. */
const COMMANDS =
  /^(?:filter\..+\.(?:clean|smudge|process)|diff\..+\.(?:command|textconv)|diff\.external|merge\..+\.driver|(?:merge|diff)tool\..+\.cmd|core\.(?:fsmonitor|editor|pager|sshcommand|askpass|gitproxy)|gpg\.(?:.+\.)?program|alias\..+|sequence\.editor|pager\..+|credential\.(?:.+\.)?helper|include(?:if\..+)?\.path|interactive\.difffilter|uploadpack\.packobjectshook)$/i;

/** The lines of config.toml, and what git's settings in the source run. */
export async function readUserLines(git: Git, { repo, notify }: Pick<Config, 'repo' | 'notify'>): Promise<readonly UserLine[]> {
  const { afterAccept, setup, format, validate } = repo;
  const own = Object.entries({ after_accept: afterAccept, setup, format, validate }).flatMap(([key, commands]) =>
    commands.map((command) => ({ from: `[repo] ${key}`, command, folder: '' })),
  );
  const rules = repo.conflicts.flatMap(({ command }) => (command === undefined ? [] : [{ from: '[repo] conflicts', command, folder: '' }]));
  const notices = notify.command === '' ? [] : [{ from: '[notify] command', command: notify.command, folder: '' }];
  const { status, stdout } = await git.run(read(repo.source, 'config', '--list', '-z'));
  const settings = status === 0 ? parseSettings(stdout) : [];
  const ofGit = settings.flatMap(({ key, value }): UserLine[] => {
    const command = inside(repo.source, value);
    if (/^core\.hookspath$/i.test(key)) return [{ from: key, command, folder: '', isFolder: true }];
    return COMMANDS.test(key) ? [{ from: `the setting ${key}`, command, folder: '' }] : [];
  });
  return [...own, ...rules, ...notices, ...ofGit];
}

/** Paths of the source become paths of the repository. */
const inside = (source: string, text: string): string => text.replaceAll(`${source.replace(/\/$/, '')}/`, './');

/** Build tools that read a file which the line does not name. */
const READS: Readonly<Record<string, RegExp>> = {
  make: /^(?:GNUmakefile|[Mm]akefile)$/,
  just: /^\.?justfile$/i,
  rake: /^Rakefile(?:\.rb)?$/i,
  task: /^Taskfile(?:\.dist)?\.ya?ml$/i,
  gradle: /^(?:build|settings)\.gradle(?:\.kts)?$/,
  gradlew: /^(?:build|settings)\.gradle(?:\.kts)?$/,
  mvn: /^pom\.xml$/,
  mvnw: /^pom\.xml$/,
  tox: /^(?:tox\.ini|setup\.cfg)$/,
  ant: /^build\.xml$/,
  vitest: /^vite(?:st)?\.config\.\w+$/,
  jest: /^jest\.config\.\w+$/,
  eslint: /^(?:eslint\.config\.\w+|\.eslintrc(?:\.\w+)?)$/,
};

/** Whether a line runs a file: names it, as a program or an argument, or starts a tool that reads it. */
export function runsFile({ command, folder, isFolder }: UserLine, path: string): boolean {
  const words = command.split(/[\s"'`;&|()<>=,$]+/).filter((word) => word !== '');
  return words.some((word) => {
    const named = posix.join(folder, word).replace(/\/$/, '');
    if (named === path || (isFolder === true && path.startsWith(`${named}/`))) return true;
    // Node finds `scripts/install` as scripts/install.js, and a folder by its index.
    if (word.includes('/') && path.startsWith(named) && /^(?:\.[cm]?[jt]s|\/index\.[cm]?[jt]s)$/.test(path.slice(named.length)))
      return true;
    return posix.dirname(path) === (folder === '' ? '.' : folder) && READS[posix.basename(word)]?.test(posix.basename(path)) === true;
  });
}

/** Whether a line starts this script of a package.json. */
export function runsScript({ command }: UserLine, script: string): boolean {
  const words = command.split(/[\s"'`;&|()]+/).map((word) => (word === 't' || word === 'tst' ? 'test' : word));
  return (
    words.some((word) => /^(?:npm|yarn|pnpm|bun|corepack|run-[sp]|npm-run-all2?)$/.test(posix.basename(word))) && words.includes(script)
  );
}
