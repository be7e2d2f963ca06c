import type { ArgumentSpec, Declaration, OptionSpec } from '../declaration.ts';
import { longName } from '../short-options.ts';

/** What completion offers for a value: names that it reads from the root, paths, or nothing. */
export type ValueKind =
  | 'worker'
  | 'run'
  | 'worker-or-run'
  | 'rescue'
  | 'task'
  | 'agent'
  | 'workflow'
  | 'template'
  | 'status'
  | 'file'
  | 'folder';
export type CompletionValues = ValueKind | readonly string[] | 'nothing';

const OF_OPTIONS: Readonly<Record<string, ValueKind>> = {
  worker: 'worker',
  into: 'worker',
  agent: 'agent',
  template: 'template',
  for: 'status',
  after: 'task',
  before: 'task',
  'prompt-file': 'file',
  file: 'file',
  screen: 'file',
  output: 'file',
  workflow: 'workflow',
  source: 'folder',
  target: 'folder',
  root: 'folder',
};

const OF_ARGUMENTS: Readonly<Record<string, ValueKind>> = {
  worker: 'worker',
  run: 'run',
  'worker|run': 'worker-or-run',
  workflow: 'workflow',
  file: 'file',
};

/** Arguments whose name alone does not say what they take. */
const OF_VERBS: Readonly<Record<string, Readonly<Record<string, ValueKind>>>> = {
  nuke: { name: 'worker' },
  sessions: { name: 'worker-or-run' },
  start: { task: 'worker' },
  queue: { task: 'task' },
  rescue: { name: 'rescue', other: 'rescue' },
};

export interface CompletedOption {
  /** `-w` and `--worker` */
  readonly names: readonly string[];
  readonly about: string;
  /** Undefined for an option without a value. */
  readonly values: CompletionValues | undefined;
  /** True if it takes every word up to the next option. */
  readonly isList: boolean;
}

export function completedOption({ flags, about, words }: OptionSpec): CompletedOption {
  const takesValue = /[<[]/.test(flags);
  return {
    names: flags.match(/(?<=^|\s)--?[a-zA-Z][a-z-]*/g) ?? [],
    about,
    values: takesValue ? (words ?? OF_OPTIONS[longName(flags)] ?? 'nothing') : undefined,
    isList: flags.includes('...'),
  };
}

export function chooseValues({ name }: Declaration, { syntax, words }: ArgumentSpec): CompletionValues {
  const plain = syntax.replace(/[<>[\].]/g, '');
  return words ?? OF_VERBS[name]?.[plain] ?? OF_ARGUMENTS[plain] ?? 'nothing';
}
