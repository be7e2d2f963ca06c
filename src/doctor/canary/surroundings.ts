import type { Processes } from '../../base/ports.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The variables that a program needs to start. The user's keys, addresses, settings and proxies are not among them. */
const KEPT: readonly string[] = ['PATH', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'USER', 'LOGNAME', 'SHELL'];

/** The environment reduced to these variables. */
export function bareEnvironment(env: Env = process.env): Env {
  const kept = Object.fromEntries(KEPT.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
  return { LANG: 'C.UTF-8', ...kept };
}

/** Hides the user's environment from the programs it starts. A tmux server passes its environment to every pane. */
export function barely(processes: Processes, env: Env = process.env): Processes {
  const nothing = Object.fromEntries(Object.keys(env).map((name) => [name, undefined]));
  return {
    run: (command, options) => processes.run({ ...command, env: { ...nothing, ...bareEnvironment(env), ...command.env } }, options),
  };
}
