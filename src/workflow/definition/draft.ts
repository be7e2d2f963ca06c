import type * as z from 'zod';
import type { Path } from '../../config/problems/expectation.ts';
import type { Rest } from '../../config/problems/rest.ts';
import type { headSchema, inputSchema, roleSchema, STAGES } from './schema.ts';

export type Head = z.output<typeof headSchema>;
export type InputSpec = z.output<typeof inputSchema>;
export type RoleSpec = z.output<typeof roleSchema>;

export type StageKey = keyof typeof STAGES;
type Specs = { readonly [Key in StageKey]: { readonly key: Key; readonly spec: z.output<(typeof STAGES)[Key]> } };
/** A stage of the right shape, by the key that makes its kind. */
export type StageSpec = Specs[StageKey];

/**
 * A workflow as far as it has the right shape: what is broken is undefined, so that the references of the rest are still checked.
 * A name that is there counts as known, also when its part is broken.
 */
export interface WorkflowDraft {
  readonly head: Head | undefined;
  readonly inputs: Named<InputSpec>;
  readonly roles: Named<RoleSpec>;
  readonly stages: readonly StageDraft[];
  /** What is left of the parts that are broken, for the checks of their own words. */
  readonly rest: BrokenParts;
}

export interface BrokenParts {
  readonly head: Rest<Head> | undefined;
  readonly inputs: ReadonlyMap<string, Rest<InputSpec>>;
  readonly roles: ReadonlyMap<string, Rest<RoleSpec>>;
}

/** Undefined if nothing is known about the names either. */
export type Named<Spec> = ReadonlyMap<string, Spec | undefined> | undefined;

export interface StageDraft {
  readonly path: Path;
  readonly id: string | undefined;
  readonly body: StageSpec | undefined;
  /** What is left of a body that is broken. Only the stage itself is checked with it: what it promises to others is not known. */
  readonly rest: Rest<StageSpec> | undefined;
  /** The stages of one item. */
  readonly inner: readonly StageDraft[];
}
