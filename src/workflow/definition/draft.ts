import type * as z from 'zod';
import type { Path } from '../../config/problems/expectation.ts';
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
export interface Draft {
  readonly head: Head | undefined;
  readonly inputs: Named<InputSpec>;
  readonly roles: Named<RoleSpec>;
  readonly stages: readonly StageDraft[];
}

/** Undefined if nothing is known about the names either. */
export type Named<Spec> = ReadonlyMap<string, Spec | undefined> | undefined;

export interface StageDraft {
  readonly path: Path;
  readonly id: string | undefined;
  readonly body: StageSpec | undefined;
  /** The stages of one item. */
  readonly inner: readonly StageDraft[];
}
