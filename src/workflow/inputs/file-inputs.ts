import { resolve } from 'node:path';
import { realPath } from '../../system/files/files.ts';
import { readTextFile } from '../../system/files/text-file.ts';
import { readStandardInput } from '../../system/lines.ts';
import type { Plan } from '../definition/plan.ts';
import { LARGEST_WORKFLOW } from '../definition/read-yaml.ts';
import { type InputContent, obstacle, parseContent } from './content.ts';
import { itemsIn, STANDARD_INPUT } from './item-inputs.ts';
import type { TypedInputs } from './type-inputs.ts';

export interface InputValues {
  readonly values: Readonly<Record<string, unknown>>;
  readonly problems: readonly string[];
}

/**
 * Replaces the path of each file by its content: the fields of a YAML or JSON file and of the front matter of a Markdown file, the text of
 * any other; and the path of items by their list.
 */
export async function readFileInputs(
  inputs: Plan['inputs'],
  { values, problems }: TypedInputs,
  folder: string,
  readInput: () => Promise<string> = readStandardInput,
): Promise<InputValues> {
  const piped = Object.entries(values).filter(([name, value]) => inputs[name]?.type === 'items' && value === STANDARD_INPUT);
  if (piped.length > 1)
    return { values, problems: [...problems, `${piped.map(([name]) => name).join(' and ')} cannot both be read from standard input`] };
  const read = await Promise.all(
    Object.entries(values).map(async ([name, value]) => {
      const type = typeof value === 'string' ? inputs[name]?.type : undefined;
      if (type === 'file') return { name, ...(await readContent(String(value), folder)) };
      return { name, ...(type === 'items' ? await itemsIn(String(value), folder, readInput) : { value, problems: [] }) };
    }),
  );
  return {
    values: Object.fromEntries(read.map(({ name, value }) => [name, value])),
    problems: [...problems, ...read.flatMap(({ name, problems: found }) => found.map((problem) => `the input "${name}": ${problem}`))],
  };
}

async function readContent(path: string, folder: string): Promise<InputContent> {
  const file = await readTextFile(resolve(folder, path), LARGEST_WORKFLOW);
  return file.kind === 'text' ? parseContent(path, file.text) : { value: undefined, problems: [obstacle(path, file)] };
}

/** The files that get the status of their items written back, by the names of their inputs. */
export function statusFiles({ stages }: Pick<Plan, 'stages'>, { values }: TypedInputs, folder: string): Readonly<Record<string, string>> {
  const names = stages.flatMap((stage) => (stage.kind === 'for_each' ? (stage.statusFile?.split('.')[1] ?? []) : []));
  return Object.fromEntries(
    names.flatMap((name) => {
      const path = Object.hasOwn(values, name) ? values[name] : undefined;
      // A link stays one: what it leads to is replaced.
      return typeof path === 'string' ? [[name, realPath(resolve(folder, path))]] : [];
    }),
  );
}
