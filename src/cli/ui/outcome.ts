import type { Event } from '../../tui/model/event.ts';
import type { Mode, ViewNotice } from '../../tui/model/view.ts';
import type { Shell } from '../shell.ts';
import type { ViewTerminal } from './terminal/view-terminal.ts';
import type { ViewShell } from './view-shell.ts';

export interface ViewPorts {
  readonly shell: Shell;
  readonly terminal: Pick<ViewTerminal, 'lend' | 'stop' | 'setMouse'>;
  readonly dispatch: (event: Event) => void;
}

/** What came of an effect. */
export interface EffectOutcome {
  readonly notice?: ViewNotice | undefined;
  readonly opens?: Mode | undefined;
  /** The drafts that stay, because another text of them was sent than they have now. */
  readonly changedDrafts?: readonly string[];
}

/** What the effects use: a shell that prints nothing, and the terminal of the view. */
export interface Surroundings extends ViewPorts {
  readonly own: ViewShell;
}
