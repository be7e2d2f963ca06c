/** One element of a `for_each`. */
export interface Item {
  /** Names it in addresses: `sections/s3`, `5/s3`. */
  readonly key: string;
  readonly value: unknown;
  /** The keys of the items that must have ended before. */
  readonly after: readonly string[];
}
