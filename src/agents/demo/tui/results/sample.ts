type Schema = Readonly<Record<string, unknown>>;

/** Schemas that contain themselves end here. */
const DEEPEST = 12;

/**
 * A value that satisfies a JSON Schema of the simple kind: types, properties, items, enum, bounds, patterns of names and addresses.
 * Texts are `text`. `number` is the place in the list around it, so that names differ.
 */
export function sampleOf(schema: unknown, text: string, depth = 0, number = 1): unknown {
  if (!isSchema(schema) || depth > DEEPEST) return text;
  if ('const' in schema) return schema['const'];
  for (const key of ['enum', 'examples', 'anyOf', 'oneOf']) {
    const [first] = listOf(schema[key]);
    if (first !== undefined) return key === 'enum' || key === 'examples' ? first : sampleOf(first, text, depth + 1, number);
  }
  switch (typeOf(schema)) {
    case 'object':
      return Object.fromEntries(
        propertiesOf(schema).map(([name, inner]) => [
          name,
          isPlainId(name, inner) ? `demo-${number}` : sampleOf(inner, text, depth + 1, number),
        ]),
      );
    case 'array': {
      const length = Math.max(numberOf(schema['minItems']) ?? 0, Math.min(USUAL_ITEMS, numberOf(schema['maxItems']) ?? USUAL_ITEMS));
      return Array.from({ length }, (_, index) => sampleOf(schema['items'], text, depth + 1, index + 1));
    }
    case 'integer':
    case 'number':
      return numberOf(schema['minimum']) ?? Math.min(1, numberOf(schema['maximum']) ?? 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default: {
      const named = matching(schema['pattern'], number);
      if (named !== undefined) return named;
      return text.padEnd(numberOf(schema['minLength']) ?? 0, '.').slice(0, numberOf(schema['maxLength']) ?? text.length + 1_000);
    }
  }
}

/** An id names its item: two items of a list must not have the same one. */
function isPlainId(name: string, schema: unknown): boolean {
  if (name !== 'id') return false;
  return (
    !isSchema(schema) ||
    (typeOf(schema) === 'string' && !['pattern', 'enum', 'const', 'minLength', 'maxLength'].some((key) => key in schema))
  );
}

/** Several, so that a workflow shows what it does with a list. */
const USUAL_ITEMS = 2;

/** A name, a date, a DOI, an address: the first one that the pattern takes. */
function matching(pattern: unknown, number: number): string | undefined {
  if (typeof pattern !== 'string') return undefined;
  const samples = [
    `demo-${number}`,
    `demo${number}`,
    `${number}`,
    '2026-01-01',
    `10.1000/demo-${number}`,
    `https://example.org/demo-${number}`,
  ];
  try {
    const expected = new RegExp(pattern, 'u');
    return samples.find((sample) => expected.test(sample));
  } catch {
    return undefined;
  }
}

function typeOf({ type, properties, items }: Schema): unknown {
  if (type === undefined) return properties !== undefined ? 'object' : items !== undefined ? 'array' : 'string';
  return Array.isArray(type) ? type[0] : type;
}

/** Those that are described, and those that are only required. */
function propertiesOf({ properties, required }: Schema): readonly (readonly [string, unknown])[] {
  const described = isSchema(properties) ? Object.entries(properties) : [];
  const names = listOf(required).filter((name) => typeof name === 'string' && !described.some(([one]) => one === name));
  return [...described, ...names.map((name) => [String(name), {}] as const)];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
