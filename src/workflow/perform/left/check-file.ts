import { extname } from 'node:path';
import * as z from 'zod';
import { describeError } from '../../../base/error.ts';
import { visibleLine } from '../../../base/visible-text.ts';
import type { OutputFile } from '../../definition/plan.ts';
import { readYaml } from '../../definition/read-yaml.ts';

export type Checked =
  | { readonly kind: 'valid'; readonly value: unknown }
  /** In words that the agent can act on. */
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

/** More than these help nobody: they are corrected together, or the form of the file is misunderstood. */
const MOST_PROBLEMS = 10;
const LONGEST_PROBLEM = 400;

/** Checks a file that an agent left. The value of a YAML or JSON file is bounded in size and depth, because the run keeps it. */
export function checkFile({ path, schema }: OutputFile, text: string): Checked {
  if (text.trim() === '') return invalid(path, ['is empty']);
  if (text.includes('\0')) return invalid(path, ['is not a text file']);
  const extension = extname(path).toLowerCase();
  if (!['.yaml', '.yml', '.json'].includes(extension)) return { kind: 'valid', value: null };
  const syntax = extension === '.json' ? jsonFlaw(text) : undefined;
  if (syntax !== undefined) return invalid(path, [`is not valid JSON: ${syntax}`]);
  // JSON is YAML too, and these bounds hold for both.
  const { value, flaws } = readYaml(text);
  if (flaws.length > 0)
    return invalid(
      path,
      flaws.map(({ offset, message }) => `line ${lineAt(text, offset)}: ${message}`),
    );
  if (schema === undefined) return { kind: 'valid', value };
  const fits = z.fromJSONSchema(schema).safeParse(value);
  return fits.success ? { kind: 'valid', value } : invalid(path, fits.error.issues.map(issueText));
}

function jsonFlaw(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return describeError(error);
  }
}

export function issueText({ path, message }: z.core.$ZodIssue): string {
  const at = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return at === '' ? message : `${at.replace(/^\./, '')}: ${message}`;
}

export function invalid(path: string, problems: readonly string[]): Checked {
  const shown = problems.slice(0, MOST_PROBLEMS).map((problem) => visibleLine(`${path}: ${problem}`).slice(0, LONGEST_PROBLEM));
  const more = problems.length - shown.length;
  return { kind: 'invalid', problems: more > 0 ? [...shown, `${path}: and ${more} more problems`] : shown };
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
