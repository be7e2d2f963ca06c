/** What a report may hold: a name in the archive, and how its content is read. */
export interface Part {
  readonly name: string;
  /** Undefined: there is nothing of the kind, which is not worth a line. Throws if it cannot be read. */
  read(): Promise<PartContent | undefined>;
}

export type PartContent =
  | { readonly kind: 'value'; readonly value: unknown }
  /** `cut`: the beginning is missing. */
  | { readonly kind: 'text' | 'json_lines'; readonly text: string; readonly cut: boolean };

export const valuePart = (name: string, read: () => unknown): Part => ({
  name,
  read: async () => ({ kind: 'value', value: await read() }),
});
