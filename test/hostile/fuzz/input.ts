import fc, { type Arbitrary } from 'fast-check';

/** Values that a careless reader does not expect in JSON. */
const ODD_VALUES: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => -1,
  () => 0.5,
  () => 1e308,
  () => 2 ** 53 + 2,
  () => '',
  () => '\0',
  () => '\ud800',
  () => '__proto__',
  () => '../../../etc/passwd',
  () => '--option',
  () => '\u001b]52;c;eA==\u0007',
  () => 'x'.repeat(50_000),
  () => ' '.repeat(5_000),
  () => [],
  () => ({}),
  () => Array<number>(5_000).fill(0),
  () => nested(3_000),
  () => JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
];

function nested(depth: number): unknown {
  return JSON.parse('['.repeat(depth) + ']'.repeat(depth));
}

const oddValue = fc.constantFrom(...ODD_VALUES).map((make) => make());

/** Any code unit, so also halves of surrogate pairs and control characters. */
const anyUnit = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }) },
);
const anyText = fc.array(anyUnit, { maxLength: 200 }).map((units) => String.fromCharCode(...units));

/** One short piece again and again: what makes a careless regular expression slow. */
const repeated = fc
  .tuple(fc.array(anyUnit, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 3_000 }), anyText)
  .map(([units, times, tail]) => String.fromCharCode(...units).repeat(times) + tail);

/** Bytes as a program reads them from a file. */
const anyBytes = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('utf8'));

export const hostileText: Arbitrary<string> = fc.oneof(anyText, repeated, anyBytes);

/** A sound document with one thing wrong: a field of another kind, missing, or one too many. */
function nearMiss(documents: readonly unknown[]): Arbitrary<unknown> {
  return fc
    .tuple(fc.constantFrom(...documents), fc.infiniteStream(fc.nat(1_000)), oddValue, fc.constantFrom('replace', 'remove', 'add', 'wrap'))
    .map(([document, steps, odd, how]) => broken(structuredClone(document), steps, odd, how));
}

function broken(document: unknown, steps: Iterator<number>, odd: unknown, how: string): unknown {
  const step = (): number => steps.next().value ?? 0;
  let holder: object | undefined;
  let key = '';
  let current = document;
  while (typeof current === 'object' && current !== null) {
    const keys = Object.keys(current);
    if (keys.length === 0 || (holder !== undefined && step() % 4 === 0)) break;
    holder = current;
    key = keys[step() % keys.length] ?? '';
    current = Reflect.get(holder, key);
  }
  if (holder === undefined) return odd;
  if (how === 'remove') Reflect.deleteProperty(holder, key);
  else if (how === 'add') Object.defineProperty(holder, '__proto__', { value: odd, enumerable: true, configurable: true, writable: true });
  else Reflect.set(holder, key, how === 'wrap' ? [current, odd] : odd);
  return document;
}

/** The text of such a document: near-misses, cut or followed by garbage, and anything at all. */
export function jsonText(documents: readonly unknown[]): Arbitrary<string> {
  const near = nearMiss(documents).map((document) => JSON.stringify(document) ?? '');
  const cut = fc.tuple(near, fc.nat(2_000)).map(([text, end]) => text.slice(0, end));
  const followed = fc.tuple(near, hostileText).map(([text, more]) => text + more);
  return fc.oneof({ weight: 4, arbitrary: near }, cut, followed, hostileText, fc.json());
}

/** Lines of such documents, with garbage between them. */
export function jsonLines(documents: readonly unknown[]): Arbitrary<string> {
  return fc.array(fc.oneof({ weight: 4, arbitrary: jsonText(documents) }, hostileText), { maxLength: 12 }).map((lines) => lines.join('\n'));
}
