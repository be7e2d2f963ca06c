/** One row of a decision: the tests check it, and docs/recovery.md prints it. */
export interface Case<View, Policy, Step extends { readonly kind: string }> {
  /** Completes the sentence "when …". */
  readonly when: string;
  readonly view: View;
  /** Where it differs from the default. */
  readonly policy?: Partial<Policy>;
  /** What the step has at least. */
  readonly step: { readonly kind: Step['kind'] } & Readonly<Record<string, unknown>>;
}
