import type { Event } from '../../tui/model/event.ts';
import type { ListItem } from '../../tui/model/item.ts';
import type { Tab } from '../../tui/model/view.ts';
import type { Size } from '../../tui/screen/line.ts';
import type { ViewShell } from './view-shell.ts';

/** What the pane should show. */
export interface Wanted {
  readonly item: ListItem;
  readonly tab: Tab;
  readonly size: Size;
  readonly ignoreWhitespace: boolean;
  /** For why: everything it leans on. */
  readonly withEvidence: boolean;
}

/** Where a loader puts what it found. */
export interface PaneSource {
  readonly shell: ViewShell;
  readonly dispatch: (event: Event) => void;
  readonly signal: AbortSignal;
}
