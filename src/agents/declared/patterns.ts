import type { AgentDeclaration } from './declaration.ts';

export interface Pattern {
  /** Its name in config.toml: `busy[1]`. */
  readonly name: string;
  readonly expression: RegExp;
}

export interface Patterns {
  readonly dialog: readonly Pattern[];
  readonly busy: readonly Pattern[];
  readonly ready: readonly Pattern[];
  readonly box: Pattern | undefined;
  readonly boxMore: Pattern | undefined;
  readonly folded: Pattern | undefined;
}

export function compile(declaration: AgentDeclaration): Patterns {
  const pattern = (name: string, source: string): Pattern => ({ name, expression: new RegExp(source, 'u') });
  const one = (name: string, source: string | undefined) => (source === undefined ? undefined : pattern(name, source));
  const list = (name: string, sources: readonly string[] = []) => sources.map((source, index) => pattern(`${name}[${index}]`, source));
  const { dialog, busy, ready, box, boxMore, folded } = declaration;
  return {
    dialog: list('dialog', dialog),
    busy: list('busy', busy),
    ready: list('ready', ready),
    box: one('box', box),
    boxMore: one('box_more', boxMore),
    folded: one('folded', folded),
  };
}

export function all({ dialog, busy, ready, box, boxMore, folded }: Patterns): readonly Pattern[] {
  return [...dialog, ...busy, ...ready, box, boxMore, folded].filter((pattern) => pattern !== undefined);
}

/**
 * The patterns without one that is proven wrong. llmc types into a box only while `ready` matches, so without one of the two it uses
 * neither box nor parts of it, and checks by the whole screen what it types.
 */
export function without(patterns: Patterns, name: string): Patterns {
  const others = (list: readonly Pattern[]) => list.filter((each) => each.name !== name);
  const rest = { ...patterns, dialog: others(patterns.dialog), busy: others(patterns.busy) };
  if (!name.startsWith('ready') && !name.startsWith('box')) return rest;
  return { ...rest, ready: name.startsWith('ready') ? [] : patterns.ready, box: undefined, boxMore: undefined, folded: undefined };
}

/** The text of a pattern, or of all in a list (`ready`). */
export function describePattern(patterns: Patterns, name: string): string {
  const named = all(patterns).filter((each) => each.name === name || each.name.startsWith(`${name}[`));
  return named.map(({ expression }) => expression.source).join(' or ');
}
