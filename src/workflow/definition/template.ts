import { visibleText } from '../../base/visible-text.ts';
import { type Values, valueAt } from './values.ts';

/** A `{{path}}` of a text. */
export interface Placeholder {
  readonly path: string;
  /** As it is written. */
  readonly raw: string;
  /** The offset of `raw` in the text. */
  readonly at: number;
}

const PLACEHOLDER = /\{\{([^{}\n]*)\}\}/g;

export function placeholdersIn(text: string): readonly Placeholder[] {
  return [...text.matchAll(PLACEHOLDER)].map(({ 0: raw, 1: path = '', index }) => ({ path: path.trim(), raw, at: index }));
}

/** The offsets of `{{` and `}}` that belong to no placeholder. */
export function strayBraces(text: string): readonly { readonly raw: string; readonly at: number }[] {
  const blank = text.replace(PLACEHOLDER, (raw) => ' '.repeat(raw.length));
  return [...blank.matchAll(/\{\{|\}\}/g)].map(({ 0: raw, index }) => ({ raw, at: index }));
}

/** Replaces each `{{path}}` once: what a value contains is never read as a template. A path without a value becomes empty. */
export function render(template: string, values: Values): string {
  return template.replace(PLACEHOLDER, (_, path: string) => {
    const name = path.trim();
    const isWhole = Object.hasOwn(values, name) && name !== 'inputs' && name !== 'item';
    return isWhole ? wholeText(values[name]) : toText(valueAt(values, name));
  });
}

/** A whole stage stands for what it left: one result is written alone, several with their names. */
function wholeText(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return toText(value);
  const entries = Object.entries(value).filter(([, each]) => each !== undefined && each !== null);
  if (entries.length === 1) return toText(entries[0]?.[1]);
  return entries.map(([name, each]) => `${name}: ${toText(each)}`).join('\n');
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  // JSON leaves U+2028 as it is, which ends a line in an agent's input.
  return typeof value === 'string' ? value : visibleText(JSON.stringify(value, undefined, 2));
}
