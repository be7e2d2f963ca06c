import type { Processes } from '../../base/ports.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** What a program needs to start at all. Keys, addresses, settings and proxies of the user's stay out. */
const KEPT: readonly string[] = ['PATH', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'USER', 'LOGNAME', 'SHELL'];

/** Little more than the way to the programs. */
export function bareEnvironment(env: Env = process.env): Env {
  const kept = Object.fromEntries(KEPT.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
  return { LANG: 'C.UTF-8', ...kept };
}

/** Programs started through this see nothing of the user's environment; a tmux server hands its own to every pane. */
export function barely(processes: Processes, env: Env = process.env): Processes {
  const nothing = Object.fromEntries(Object.keys(env).map((name) => [name, undefined]));
  return {
    run: (command, options) => processes.run({ ...command, env: { ...nothing, ...bareEnvironment(env), ...command.env } }, options),
  };
}
