import type { Problem } from './problem.ts';
import { type AgentOptions, BUILT_IN_AGENTS, type Config } from './schema.ts';

/** The options that declare an agent without a built-in adapter. */
export type DeclaredOptions = AgentOptions & { readonly ready: readonly string[]; readonly box: string };

/** The same options in snake_case, as in the file. */
const DECLARING = {
  start_args: 'startArgs',
  resume_args: 'resumeArgs',
  ready: 'ready',
  busy: 'busy',
  dialog: 'dialog',
  box: 'box',
  box_more: 'boxMore',
  folded: 'folded',
  interrupt_keys: 'interruptKeys',
  wipe_keys: 'wipeKeys',
} as const;

const PLACEHOLDERS: readonly string[] = ['{id}', '{model}', '{role_prompt}', '{worktree}'];

export function isDeclaration(options: AgentOptions): options is DeclaredOptions {
  return options.extends === undefined && options.ready !== undefined && options.box !== undefined;
}

export function isDeclaring(options: AgentOptions | undefined): boolean {
  return declaringKeys(options).length > 0;
}

/** Reports options of a declared agent in a table where they have no effect, and required options that are missing. */
export function declarationProblems(config: Config, name: string): readonly Problem[] {
  const options = config.agents[name];
  if (options === undefined) return [];
  const keys = declaringKeys(options);
  const at = (key: string, about: Problem['about'], message: string): Problem => ({ path: ['agents', name, key], about, message });
  const elsewhere = BUILT_IN_AGENTS.includes(name) ? `"${name}" is built in` : options.extends && `"${name}" extends "${options.extends}"`;
  if (elsewhere !== undefined && elsewhere !== '')
    return keys.map((key) =>
      at(key, 'key', `agents.${name}.${key}: ${elsewhere}, whose adapter knows this; expected only in a declared agent`),
    );
  if (keys.length === 0) return [];
  const missing = (['command', 'ready', 'box'] as const).filter((key) => options[key] === undefined);
  return [
    ...missing.map((key) => at(key, 'missing', `agents.${name}.${key} is missing; expected ${NEEDED[key]}`)),
    ...(['args', 'start_args', 'resume_args'] as const).flatMap((key) => {
      const words = key === 'args' ? options.args : options[DECLARING[key]];
      return (words ?? []).flatMap((word, index) => (hasStranger(word) ? [placeholderProblem(name, key, index)] : []));
    }),
  ];
}

const NEEDED = {
  command: 'the program to start',
  ready: 'patterns of a screen that waits for a prompt',
  box: 'a pattern of the input line, with a group around its text',
};

/** Does not quote the argument, because it may be a secret. */
function placeholderProblem(name: string, key: string, index: number): Problem {
  const message = `agents.${name}.${key}[${index}]: found an unknown word in braces, expected one of ${PLACEHOLDERS.join(', ')}`;
  return { path: ['agents', name, key, index], about: 'value', message };
}

function hasStranger(word: string): boolean {
  return (word.match(/\{\w+\}/g) ?? []).some((placeholder) => !PLACEHOLDERS.includes(placeholder));
}

function declaringKeys(options: AgentOptions | undefined): readonly string[] {
  return Object.entries(DECLARING).flatMap(([key, inside]) => (options?.[inside] === undefined ? [] : [key]));
}
