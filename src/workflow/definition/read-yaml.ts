import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Node, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Mark } from '../../config/problems/locate.ts';
import { quote } from '../../config/problems/problem.ts';

export interface Flaw {
  readonly offset: number;
  readonly message: string;
}

export interface YamlTree {
  /** With flaws, what is sound of it; undefined if nothing is. */
  readonly value: unknown;
  readonly marks: readonly Mark[];
  /** What makes the text unreadable, or readable in two ways. */
  readonly flaws: readonly Flaw[];
}

/** A hundred stages with long prompts fit. */
export const LARGEST_WORKFLOW = 128 * 1024;
const DEEPEST = 40;
/** With everything that aliases repeat. */
const MOST_VALUES = 10_000;

type Path = readonly (string | number)[];

/** Reads YAML 1.2 as plain data with the position of each value: no tags, no merge keys, no key twice. Never throws. */
export function readYaml(text: string): YamlTree {
  if (text.length > LARGEST_WORKFLOW) return unreadable(0, `found ${text.length} characters, expected at most ${LARGEST_WORKFLOW}`);
  let document: Document.Parsed;
  try {
    // The own check of `yaml` for keys that are there twice takes the square of their number.
    document = parseDocument(text, { version: '1.2', schema: 'core', merge: false, uniqueKeys: false, prettyErrors: false });
  } catch (error) {
    // The parser of `yaml` is recursive.
    if (error instanceof RangeError) return unreadable(0, 'nested too deeply');
    throw error;
  }
  if (document.directives.yaml.explicit === true) return unreadable(0, 'found a %YAML line, expected none: the file is read as YAML 1.2');
  const deep = document.errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  if (deep !== undefined) return unreadable(deep.pos[0], 'nested too deeply');
  if (document.errors.length > 0) {
    const flaws = document.errors.map(({ code, pos, message }) => ({ offset: pos[0], message: syntaxMessage(code, message) }));
    return {
      value: undefined,
      marks: [],
      flaws: flaws.filter(({ offset }, index) => flaws.findIndex((each) => each.offset === offset) === index),
    };
  }
  return new TreeReader(text).read(document.contents);
}

function unreadable(offset: number, message: string): YamlTree {
  return { value: undefined, marks: [], flaws: [{ offset, message }] };
}

function syntaxMessage(code: string, message: string): string {
  if (code === 'MULTIPLE_DOCS') return 'found a second document, expected one per file';
  return `not valid YAML: ${message.slice(0, 1).toLowerCase()}${message.slice(1)}`;
}

class TreeReader {
  readonly #text: string;
  readonly #marks: Mark[] = [];
  readonly #flaws: Flaw[] = [];
  readonly #anchors = new Map<string, Node>();
  #values = 0;
  #size = 0;
  /** Parts are left out because there are too many. */
  #isCut = false;

  constructor(text: string) {
    this.#text = text;
  }

  read(contents: Node | null): YamlTree {
    const value = contents === null ? null : this.#valueOf(contents, [], 0);
    return { value: this.#isCut ? undefined : value, marks: this.#marks, flaws: this.#flaws };
  }

  #valueOf(node: Node, path: Path, depth: number): unknown {
    const [offset] = findRange(node) ?? [0];
    this.#values += 1;
    if (this.#values === MOST_VALUES + 1) this.#cut(offset, `found more than ${MOST_VALUES} values, with those that aliases repeat`);
    if (this.#values > MOST_VALUES || this.#size > LARGEST_WORKFLOW) return undefined;
    if (depth > DEEPEST) return this.#cut(offset, 'nested too deeply');
    if (isAlias(node)) return this.#aliased(node, path, depth);
    if (node.tag !== undefined) this.#flaw(offset, `found the tag ${tagText(node.tag)}, expected a value without a tag`);
    const value = isMap(node) ? this.#mapping(node, path, depth) : isSeq(node) ? this.#list(node, path, depth) : findScalar(node);
    if (typeof value === 'string') this.#count(value, offset);
    // A run is stored as JSON, which has neither.
    if (typeof value === 'number' && !Number.isFinite(value)) this.#flaw(offset, 'found .inf or .nan, expected a number with an end');
    // Only now: an alias inside its own anchor would have no end.
    if ('anchor' in node && typeof node.anchor === 'string') this.#anchors.set(node.anchor, node);
    return value;
  }

  #aliased(node: Alias, path: Path, depth: number): unknown {
    const target = this.#anchors.get(node.source);
    if (target !== undefined) return this.#valueOf(target, path, depth + 1);
    return this.#flaw(
      findRange(node)?.[0] ?? 0,
      `found the alias *${node.source}, expected one whose anchor &${node.source} ends before it`,
    );
  }

  #list(node: YAMLSeq, path: Path, depth: number): unknown[] {
    return node.items.map((item, index) => {
      if (!isNode(item)) return null;
      this.#mark([...path, index], item, item);
      return this.#valueOf(item, [...path, index], depth + 1);
    });
  }

  #mapping(node: YAMLMap, path: Path, depth: number): object {
    const entries = new Map<string, unknown>();
    for (const { key, value } of node.items) {
      const name = this.#key(key, entries);
      if (name === undefined) continue;
      const inside = [...path, name];
      this.#count(name, findRange(key)?.[0] ?? 0);
      this.#mark(inside, key, value);
      entries.set(name, isNode(value) ? this.#valueOf(value, inside, depth + 1) : null);
    }
    return Object.fromEntries(entries);
  }

  /** A text is in memory once, but a stored value has it as often as aliases repeat it. */
  #count({ length }: string, offset: number): void {
    const isOver = this.#size > LARGEST_WORKFLOW;
    this.#size += length;
    if (!isOver && this.#size > LARGEST_WORKFLOW)
      this.#cut(offset, `found more than ${LARGEST_WORKFLOW} characters, with those that aliases repeat`);
  }

  /** A number or a flag as a key is read as it is written. */
  #key(key: unknown, taken: ReadonlyMap<string, unknown>): string | undefined {
    const [offset] = findRange(key) ?? [0];
    if (!isScalar(key) || key.value === null) {
      // `prompt: {{path}}` without quotes is a mapping whose key is a mapping.
      const braces = this.#text[offset] === '{' && this.#text[offset - 1] === '{';
      this.#flaw(offset - (braces ? 1 : 0), braces ? 'a text that begins with {{ needs quotes' : 'found a key that is not a word');
      return undefined;
    }
    const name = typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
    if (taken.has(name)) this.#flaw(offset, `the key ${quote(name)} is here twice`);
    else if (name === '<<') this.#flaw(offset, 'found a merge key, expected the keys themselves');
    else if (name === '__proto__') this.#flaw(offset, 'the key "__proto__" cannot be used');
    else return name;
    return undefined;
  }

  #mark(path: Path, key: unknown, value: unknown): void {
    const [keyAt] = findRange(key) ?? [0];
    const [valueAt, end] = findRange(value) ?? [keyAt, keyAt];
    this.#marks.push({ path, keyAt, valueAt, end });
  }

  #cut(offset: number, message: string): undefined {
    this.#isCut = true;
    this.#flaw(offset, message);
  }

  #flaw(offset: number, message: string): undefined {
    this.#flaws.push({ offset, message });
  }
}

function tagText(tag: string): string {
  return tag.replace(/^tag:yaml\.org,2002:/, '!!');
}

function findScalar(node: Node): unknown {
  return isScalar(node) ? node.value : undefined;
}

/** The offsets of the first character and of the one after the last. */
function findRange(node: unknown): readonly [number, number] | undefined {
  return isNode(node) && node.range ? [node.range[0], node.range[1]] : undefined;
}

function isNode(value: unknown): value is Node {
  return isAlias(value) || isScalar(value) || isMap(value) || isSeq(value);
}
