import { isSessionVariable } from '../../agents/registry.ts';

/** Variables of llmc and tmux, and those with which git names a repository. */
const OWN =
  /^(LLMC_|TMUX|GIT_(?!SSH|ASKPASS|AUTHOR_(NAME|EMAIL)$|COMMITTER_(NAME|EMAIL)$|CONFIG_(NOSYSTEM|GLOBAL|SYSTEM)$|TERMINAL_PROMPT$))/;

/**
 * What a command of config.toml does not inherit: it must have the result that it has in a terminal of the user, also where an agent or
 * a session of llmc started this process. `undefined` removes a variable.
 */
export function lineEnvironment(inherited: NodeJS.ProcessEnv): Readonly<Record<string, undefined>> {
  const names = Object.keys(inherited).filter((name) => OWN.test(name) || isSessionVariable(name));
  return Object.fromEntries(names.map((name) => [name, undefined]));
}
