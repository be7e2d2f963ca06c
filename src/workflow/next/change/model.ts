/** What a changed workflow file means for a paused run. */
export interface PlanChange {
  /** Stages that both plans have, with other work. */
  readonly changed: readonly string[];
  /** Stages of the old plan that do not stay as they are: they changed, are gone, or come after such a stage. */
  readonly stages: readonly string[];
  /** Every `for_each` whose items go on with changed stages. */
  readonly lists: readonly ListChange[];
  /** Stages that only the new plan has, those inside of a `for_each` too. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Stages that ask for the same result in another way: other times, other reactions. */
  readonly settings: readonly string[];
  /** Roles with another agent, model or fallback, or another `when_unavailable`. */
  readonly roles: readonly string[];
  readonly refusals: readonly ChangeRefusal[];
}

export interface ListChange {
  readonly forEach: string;
  readonly items: readonly ItemChange[];
  /** Items that stay as they are, because their work has landed. */
  readonly landed: readonly string[];
}

export interface ItemChange {
  /** `sections/s3` */
  readonly item: string;
  /** Its stages that begin again. */
  readonly again: readonly string[];
}

/** Why a run cannot go on with another plan. */
export type ChangeRefusal =
  | { readonly kind: 'other_workflow'; readonly name: string }
  | { readonly kind: 'input_gone' | 'input_changed' | 'input_missing'; readonly input: string }
  /** Work that waits for a review, and whose stage, or one before it, is gone. */
  | { readonly kind: 'offered'; readonly offered: string; readonly gone: string }
  /** `because`: the stage that changed or is gone. What has landed is not landed a second time, and not forgotten. */
  | { readonly kind: 'landed'; readonly landed: string; readonly because: string };
