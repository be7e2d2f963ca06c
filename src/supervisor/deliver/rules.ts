/** One row of a decision table. `step` returns undefined when the rule does not apply. */
export interface Rule<Facts, Step> {
  readonly name: string;
  readonly step: (facts: Facts) => Step | undefined;
}

export type Ruled<Step> = Step & {
  /** The name of the rule that decided. */
  readonly rule: string;
};

/** The step of the first rule that applies. */
export function firstStep<Facts, Step extends object>(rules: readonly Rule<Facts, Step>[], facts: Facts): Ruled<Step> | undefined {
  for (const { name, step } of rules) {
    const found = step(facts);
    if (found !== undefined) return { ...found, rule: name };
  }
  return undefined;
}
