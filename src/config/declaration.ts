import type { Problem } from './problems/problem.ts';
import { type AgentOptions, BUILT_IN_AGENTS, type Config } from './schema.ts';

/** The options that declare an agent without a built-in adapter. Its command is enough. */
export type DeclaredOptions = AgentOptions & { readonly command: string };

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
  quiet_secs: 'quietSecs',
  multiline: 'multiline',
} as const;

const PLACEHOLDERS: readonly string[] = ['{id}', '{model}', '{role_prompt}', '{worktree}'];

export function isDeclaration(options: AgentOptions): options is DeclaredOptions {
  return options.extends === undefined && options.command !== undefined;
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
  // Without a command it is neither a variant nor a declaration; `references.ts` says so.
  if (keys.length === 0 && options.command === undefined) return [];
  const missing = (['command', 'ready', 'box'] as const).filter((key) => isMissing(options, key));
  return [
    ...missing.map((key) => at(key, 'missing', `agents.${name}.${key} is missing; expected ${NEEDED[key]}`)),
    ...(['args', 'start_args', 'resume_args'] as const).flatMap((key) => {
      const words = key === 'args' ? options.args : options[DECLARING[key]];
      return (words ?? []).flatMap((word, index) => (hasStranger(word) ? [placeholderProblem(name, key, index)] : []));
    }),
  ];
}

/** A box is typed into only while `ready` matches, and `box_more` and `folded` describe parts of it. */
function isMissing(options: AgentOptions, key: 'command' | 'ready' | 'box'): boolean {
  if (options[key] !== undefined) return false;
  const describesParts = options.boxMore !== undefined || options.folded !== undefined;
  if (key === 'box') return describesParts;
  return key === 'command' || options.box !== undefined;
}

const NEEDED = {
  command: 'the program to start',
  ready: 'patterns of a screen that waits for a prompt, because box is used only with it',
  box: 'a pattern of the input line, with a group around its text, because box_more and folded are used only with it',
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
