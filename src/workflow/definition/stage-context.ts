import type { StageDraft, WorkflowDraft } from './draft.ts';
import type { Scope, StageSurroundings } from './scope.ts';

/** A stage with everything around it. */
export interface StageContext extends StageSurroundings {
  readonly draft: WorkflowDraft;
  readonly stage: StageDraft;
  /** What its conditions can name. */
  readonly scope: Scope;
  /** What its texts can name. */
  readonly textScope: Scope;
  /** Every stage of the file by its id. */
  readonly all: ReadonlyMap<string, StageDraft>;
}
