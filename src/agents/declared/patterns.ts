import type { Declaration } from './declaration.ts';

export interface Pattern {
  /** Its name in config.toml: `busy[1]`. */
  readonly name: string;
  readonly expression: RegExp;
}

export interface Patterns {
  readonly dialog: readonly Pattern[];
  readonly busy: readonly Pattern[];
  readonly ready: readonly Pattern[];
  readonly box: Pattern;
  readonly boxMore: Pattern | undefined;
  readonly folded: Pattern | undefined;
}

export function compile(declaration: Declaration): Patterns {
  const pattern = (name: string, source: string): Pattern => ({ name, expression: new RegExp(source, 'u') });
  const list = (name: string, sources: readonly string[] = []) => sources.map((source, index) => pattern(`${name}[${index}]`, source));
  const { dialog, busy, ready, box, boxMore, folded } = declaration;
  return {
    dialog: list('dialog', dialog),
    busy: list('busy', busy),
    ready: list('ready', ready),
    box: pattern('box', box),
    boxMore: boxMore === undefined ? undefined : pattern('box_more', boxMore),
    folded: folded === undefined ? undefined : pattern('folded', folded),
  };
}

export function all({ dialog, busy, ready, box, boxMore, folded }: Patterns): readonly Pattern[] {
  return [...dialog, ...busy, ...ready, box, boxMore, folded].filter((pattern) => pattern !== undefined);
}
