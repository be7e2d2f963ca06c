import { join } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { readTextFile } from '../../system/files/text-file.ts';

/** Fills `{{prompt}}` and the variables given with --var in `<root>/templates/<name>.md`. */
export async function fillTemplate(root: string, name: string, variables: Readonly<Record<string, string>>): Promise<string> {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name))
    throw new LlmcError('INVALID_ARGUMENT', `"${name}" is not a template name`, { hint: 'Letters, digits, ".", "_" and "-".' });
  const path = join(root, 'templates', `${name}.md`);
  const file = await readTextFile(path);
  if (file.kind !== 'text') {
    throw new LlmcError('INVALID_ARGUMENT', `there is no template ${path}`, {
      hint: 'Create it; {{prompt}} is replaced by the task, {{name}} by the value of --var name=…',
    });
  }
  return fill(file.text, variables);
}

export function fill(template: string, variables: Readonly<Record<string, string>>): string {
  const missing = new Set<string>();
  const filled = template.replace(/\{\{\s*([A-Za-z_][A-Za-z0-9_-]*)\s*\}\}/g, (whole, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined) missing.add(name);
    return value ?? whole;
  });
  if (missing.size === 0) return filled;
  throw new LlmcError('INVALID_ARGUMENT', `the template needs a value for ${[...missing].join(', ')}`, {
    hint: [...missing].map((name) => (name === 'prompt' ? '--prompt "…"' : `--var ${name}=…`)).join(' '),
  });
}

export function readVariables(pairs: readonly string[]): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1) throw new LlmcError('INVALID_ARGUMENT', `"${pair}" is not name=value`, { hint: '--var area=parser' });
    variables[pair.slice(0, at)] = pair.slice(at + 1);
  }
  return variables;
}
