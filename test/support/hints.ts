import { VERBS } from '../../src/cli/verbs.ts';

/** The command in a hint: a verb, then flags and names of workers. */
export function commandIn(hint: string, names: readonly string[]): readonly string[] {
  const verbs = new Set(VERBS.map(({ name }) => name));
  for (const [, rest = ''] of hint.matchAll(/llmc (?=([^;:]+))/g)) {
    const [verb = '', ...words] = rest.split(/\s+/).map((word) => word.replace(/[.,]$/, ''));
    if (!verbs.has(verb)) continue;
    const end = words.findIndex((word) => !word.startsWith('--') && !names.includes(word));
    return [verb, ...(end === -1 ? words : words.slice(0, end))];
  }
  throw new Error(`no command in the hint: ${hint}`);
}
