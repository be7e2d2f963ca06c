import type { Instant } from '../../base/ports.ts';
import { type Pane, viewerMark } from '../../terminal/panes.ts';

export interface ViewerView {
  /** undefined: the session has no such window. */
  readonly viewer: Pick<Pane, 'dead' | 'mark'> | undefined;
  /** The conversation that can be shown: open, and with a prompt in it. */
  readonly begun: string | null;
  /** Viewers in a row that could not be opened, or ended soon after. */
  readonly failures: number;
  readonly openedAt: Instant | undefined;
  readonly personTypedAt: Instant | undefined;
}

export type ViewerStep =
  | { readonly kind: 'leave' }
  /** `conversation` null: there is nothing to show yet, only a notice for a person. */
  | { readonly kind: 'open'; readonly conversation: string | null; readonly failures: number; readonly why: string };

/** A viewer that ends sooner than this failed. */
const STILLBORN_MS = 5_000;
const PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** A person who pressed a key this recently is still typing. */
const PERSON_PAUSE_MS = 4_000;

const LEAVE: ViewerStep = { kind: 'leave' };

export function decideViewer(view: ViewerView, now: Instant): ViewerStep {
  const { viewer, begun, openedAt } = view;
  if (view.failures > 0 && openedAt !== undefined && now - openedAt < pauseMs(view.failures)) return LEAVE;
  if (viewer === undefined || viewer.dead) {
    const stillborn = viewer?.dead === true && openedAt !== undefined && now - openedAt < STILLBORN_MS + pauseMs(view.failures);
    if (stillborn && now - openedAt < pauseMs(view.failures)) return LEAVE;
    const failures = stillborn ? view.failures + 1 : viewer === undefined ? view.failures : 0;
    const why = viewer === undefined ? 'opening the viewer' : 'the viewer ended; opening it again';
    return { kind: 'open', conversation: begun, failures, why };
  }
  if (begun === null || viewer.mark === viewerMark(begun)) return LEAVE;
  if (view.personTypedAt !== undefined && now - view.personTypedAt < PERSON_PAUSE_MS) return LEAVE;
  return { kind: 'open', conversation: begun, failures: view.failures, why: 'the viewer follows the agent into its conversation' };
}

function pauseMs(failures: number): number {
  return Math.min(PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
}
