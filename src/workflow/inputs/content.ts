import { extname } from 'node:path';
import { describeError } from '../../base/error.ts';
import { positionsIn } from '../../config/problems/locate.ts';
import type { TextFile } from '../../system/files/text-file.ts';
import { readYaml } from '../definition/read-yaml.ts';

/** The value of an input that was read from a file, or what is wrong with the file. */
export interface InputContent {
  readonly value: unknown;
  readonly problems: readonly string[];
}

/** The fields of a YAML or JSON file, those of the front matter of a Markdown file with its `text`, or the text. */
export function parseContent(path: string, text: string, ending = extname(path).toLowerCase()): InputContent {
  if (ending === '.yaml' || ending === '.yml') return yamlContent(path, text);
  if (ending === '.md') return withFrontMatter(path, text);
  if (ending !== '.json') return { value: text, problems: [] };
  try {
    return { value: JSON.parse(text), problems: [] };
  } catch (error) {
    return { value: undefined, problems: [`${path} is not JSON: ${describeError(error)}`] };
  }
}

const FENCE = /^---[ \t]*$/;

/** Front matter is the YAML between two `---` lines at the top. Without a second one, the first is a ruler of the text. */
function withFrontMatter(path: string, source: string): InputContent {
  const lines = source.replace(/^\uFEFF/, '').split(/\r?\n/);
  const end = FENCE.test(lines[0] ?? '') ? lines.findIndex((line, index) => index > 0 && FENCE.test(line)) : -1;
  if (end === -1) return { value: source, problems: [] };
  // The empty first line keeps the line numbers of the file.
  const { value, problems } = yamlContent(path, ['', ...lines.slice(1, end)].join('\n'));
  if (problems.length > 0) return { value: undefined, problems };
  if (value !== null && !isFields(value))
    return { value: undefined, problems: [`${path}:2:1: expected fields between the --- lines, such as title: …`] };
  const text = lines
    .slice(end + 1)
    .join('\n')
    .trim();
  return { value: { text: '', ...value, ...(text !== '' && { text }) }, problems: [] };
}

function yamlContent(path: string, text: string): InputContent {
  const { value, flaws } = readYaml(text);
  const position = positionsIn(text);
  return { value, problems: flaws.map(({ offset, message }) => `${path}:${position(offset).line}:${position(offset).column}: ${message}`) };
}

export function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Why a file cannot be read, in words for a person. */
export function obstacle(path: string, file: Exclude<TextFile, { kind: 'text' }>): string {
  switch (file.kind) {
    case 'missing':
      return `there is no file ${path}`;
    case 'denied':
      return `${path} cannot be read: permission denied`;
    case 'not-utf8':
      return `${path} is not UTF-8 text`;
    case 'failed':
      return `${path} cannot be read: ${file.reason}`;
  }
}
