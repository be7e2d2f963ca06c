import { join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { launchdPlist } from './launchd-plist.ts';
import { systemdUnit } from './systemd-unit.ts';

/** What a service is made from: this machine, this llmc and one root. */
export interface ServiceFacts {
  readonly platform: string;
  readonly home: string;
  readonly root: string;
  readonly isDefaultRoot: boolean;
  /** The program and its arguments that start llmc, without the command. */
  readonly llmc: readonly string[];
  /** Of the person who installs it: the service manager has another one, in which agents are not found. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A few letters that belong to this root. */
  readonly mark: string;
}

export interface ServicePlan {
  readonly kind: 'systemd' | 'launchd';
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

/** tmux draws UTF-8 only in such a locale. Keys of agents do not belong into a file that the service manager shows to everybody. */
const PASSED_ON = ['PATH', 'LANG', 'LC_ALL', 'LC_CTYPE'];

/** Where the service manager of a platform looks for a service of this name. */
export function serviceFile(
  name: string,
  { platform, home, environment }: Pick<ServiceFacts, 'platform' | 'home' | 'environment'>,
): string {
  if (platform === 'darwin') return join(home, 'Library', 'LaunchAgents', `local.${name}.plist`);
  return join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'systemd', 'user', `${name}.service`);
}

/** The file of the service and its text; pure, so that `--dry-run` prints what `install` writes. */
export function planService(facts: ServiceFacts): ServicePlan {
  const { platform, root, environment } = facts;
  const name = facts.isDefaultRoot ? 'llmc' : `llmc-${facts.mark}`;
  const kept = PASSED_ON.flatMap((variable) => (environment[variable] ? [[variable, environment[variable]] as const] : []));
  const argv = [...facts.llmc, 'up', '--replace', '--root', root];
  const started = { root, argv, environment: { ...Object.fromEntries(kept), LLMC_SERVICE: name } };
  refuseEscapes(root);
  refuseControlCharacters([...argv, ...Object.values(started.environment)]);
  if (platform === 'darwin') {
    const label = `local.${name}`;
    const logs = join(root, 'logs', 'llmc.log');
    return {
      kind: 'launchd',
      name: label,
      file: serviceFile(name, facts),
      text: launchdPlist(started, label, logs),
    };
  }
  return {
    kind: 'systemd',
    name: `${name}.service`,
    file: serviceFile(name, facts),
    text: systemdUnit(started),
  };
}

/** The description of the unit is not quoted: a backslash at the end of the line would join it with the next one. */
function refuseEscapes(root: string): void {
  if (!root.endsWith('\\')) return;
  throw new LlmcError('INVALID_ARGUMENT', `a service cannot hold ${root}, which ends in a backslash`, {
    hint: 'Move the root, then try again: llmc service install',
  });
}

/** A line feed would end a line of the unit, and the rest would be a setting. */
function refuseControlCharacters(words: readonly string[]): void {
  const bad = words.find((word) => /[\u0000-\u001f\u007f]/.test(word));
  if (bad === undefined) return;
  throw new LlmcError('INVALID_ARGUMENT', `a service cannot hold the control character in ${JSON.stringify(bad)}`, {
    hint: 'Move the root, or clean the variable PATH, then try again: llmc service install',
  });
}
