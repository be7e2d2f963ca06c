import type { Setting } from '../source/local-config.ts';

/** Writes settings as a git configuration file, in order. */
export function configText(settings: readonly Setting[]): string {
  let text = '';
  let last = '';
  for (const { key, value } of settings) {
    const { section, name } = split(key);
    if (section !== last) text += `${section}\n`;
    last = section;
    text += `\t${name} = ${quoted(value)}\n`;
  }
  return text;
}

/** Splits `remote.a.b.url` into `[remote "a.b"]` and `url`: section and name have no dots, the middle may. */
function split(key: string): { section: string; name: string } {
  const [first, end] = [key.indexOf('.'), key.lastIndexOf('.')];
  const name = key.slice(end + 1);
  if (first === end) return { section: `[${key.slice(0, first)}]`, name };
  const middle = key.slice(first + 1, end).replaceAll(/["\\]/g, '\\$&');
  return { section: `[${key.slice(0, first)} "${middle}"]`, name };
}

function quoted(value: string): string {
  const escaped = value.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\b', '\\b');
  return `"${escaped}"`;
}
