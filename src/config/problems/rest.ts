import type * as z from 'zod';
import type { Path } from './expectation.ts';
import { keyText, type Problem } from './problem.ts';

/** What is left of a value without the parts that its schema refused, so that the checks behind the schema find the other problems too. */
export interface Rest<Value> {
  readonly value: Value;
  /** Adapts the problems of the rest to the file: elements have their places in it, and what the missing parts explain is left out. */
  adapt(problems: readonly Problem[]): readonly Problem[];
}

/** A part that is left out may have hidden another one, which a second look refuses. */
const MOST_LOOKS = 20;

/**
 * Leaves out what a schema refused, and what cannot be without it; undefined if nothing is left.
 * @param at where the value stands in the file. @param otherwise stands in for parts of the value that must be there.
 */
export function salvageRest<Schema extends z.ZodType>(
  schema: Schema,
  parsed: unknown,
  refused: z.ZodError,
  at: Path = [],
  otherwise: Readonly<Record<string, unknown>> = {},
): Rest<z.output<Schema>> | undefined {
  const kept = new Kept(parsed);
  let { issues } = refused;
  for (let look = 0; look < MOST_LOOKS && kept.drop(issues); look += 1) {
    const value = kept.value();
    const read = schema.safeParse(isObject(value) ? { ...otherwise, ...value } : value);
    if (read.success) return { value: read.data, adapt: (problems) => kept.adapt(problems, at) };
    issues = read.error.issues;
  }
  return undefined;
}

/** A value, and which of its parts are dropped, by their paths in the file. */
class Kept {
  readonly #parsed: unknown;
  readonly #dropped = new Set<string>();
  /** The objects that lost a part. */
  readonly #changed = new Set<string>();
  /** Of each list that lost elements: where the others stood. */
  readonly #places = new Map<string, readonly number[]>();

  constructor(parsed: unknown) {
    this.#parsed = parsed;
  }

  /** Returns whether there is anything left to look at. */
  drop(issues: readonly z.core.$ZodIssue[]): boolean {
    const paths = issues.flatMap((issue): readonly Path[] => {
      const path = this.#original(issue.path);
      return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [this.#nearestThere(path)];
    });
    for (const path of paths) {
      this.#dropped.add(toKey(path));
      this.#changed.add(toKey(path.slice(0, -1)));
    }
    return paths.every((path) => path.length > 0);
  }

  value(): unknown {
    return this.#without(this.#parsed, []);
  }

  adapt(problems: readonly Problem[], at: Path): readonly Problem[] {
    const inside = (path: Path): Path => (toKey(path.slice(0, at.length)) === toKey(at) ? path.slice(at.length) : path);
    return problems.flatMap((problem): Problem[] => {
      const own = this.#original(inside(problem.path));
      if ((problem.about === 'missing' || problem.lacks === true) && this.#explains(own)) return [];
      const path = [...at, ...own];
      return [{ ...problem, path, message: problem.message.replace(keyText(problem.path), () => keyText(path)) }];
    });
  }

  /** Whether what is missing may be among what is dropped. */
  #explains(path: Path): boolean {
    return [path, path.slice(0, -1)].some((object) => this.#changed.has(toKey(object)));
  }

  #nearestThere(path: Path): Path {
    for (let length = path.length; length > 0; length -= 1) {
      const part = path.slice(0, length);
      if (isThere(this.#parsed, part) && !this.#dropped.has(toKey(part))) return part;
    }
    return [];
  }

  #without(value: unknown, path: Path): unknown {
    const isKept = (key: PropertyKey): boolean => !this.#dropped.has(toKey([...path, key]));
    if (Array.isArray(value)) {
      const places = value.flatMap((_, index) => (isKept(index) ? [index] : []));
      if (places.length < value.length) this.#places.set(toKey(path), places);
      return places.map((index) => this.#without(value[index], [...path, index]));
    }
    if (!isObject(value)) return value;
    const entries = Object.entries(value).filter(([key]) => isKept(key));
    return Object.fromEntries(entries.map(([key, inner]) => [key, this.#without(inner, [...path, key])]));
  }

  /** Where a part of what is left stands in the file. */
  #original(path: Path): Path {
    const original: PropertyKey[] = [];
    for (const key of path) original.push(typeof key === 'number' ? (this.#places.get(toKey(original))?.[key] ?? key) : key);
    return original;
  }
}

/** A missing part cannot be dropped: what needs it goes. */
function isThere(value: unknown, path: Path): boolean {
  let inside = value;
  for (const key of path) {
    if (typeof inside !== 'object' || inside === null || !Object.hasOwn(inside, key)) return false;
    inside = Reflect.get(inside, key);
  }
  return inside !== undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function toKey(path: Path): string {
  return JSON.stringify(path.map(String));
}
