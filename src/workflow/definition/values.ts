/** What paths can name: `inputs`, each stage that has ended by its id, and inside a `for_each` the `item`. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * The value at a path such as `inputs.task`, `3.outline.sections` or `7.5.verdict`; undefined if there is none. The longest name that is
 * known comes first, because the id of a stage may contain dots.
 */
export function valueAt(values: Values, path: string): unknown {
  const { name, fields } = splitPath(path, Object.keys(values));
  let value: unknown = name === undefined ? undefined : values[name];
  for (const field of fields) {
    // Own fields only: the file of an agent must not reach a prototype.
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, field)) return undefined;
    value = Reflect.get(value, field);
  }
  return value ?? undefined;
}

export interface SplitPath {
  /** Undefined if the path begins with none of the names. */
  readonly name: string | undefined;
  readonly fields: readonly string[];
}

export function splitPath(path: string, names: readonly string[]): SplitPath {
  const name = names.filter((each) => path === each || path.startsWith(`${each}.`)).sort((a, b) => b.length - a.length)[0];
  if (name === undefined) return { name, fields: path.split('.').slice(1) };
  return { name, fields: path === name ? [] : path.slice(name.length + 1).split('.') };
}
