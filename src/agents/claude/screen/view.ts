import type { Instant } from '../../../base/ports.ts';
import type { Screen } from '../../../terminal/screen.ts';
import type { ScreenView } from '../../screen-rules/rules.ts';
import { type ClaudeDialog, readDialog } from './dialog.ts';
import { type ClaudeFrame, readFrame } from './frame.ts';
import { type ClaudeTurn, readTurn } from './turn.ts';

export type ClaudeView = ScreenView<ClaudeFrame, ClaudeTurn, ClaudeDialog>;

export function readClaudeView(screen: Screen, now: Instant | undefined): ClaudeView {
  const frame = readFrame(screen);
  return { frame, turn: readTurn(frame), dialog: readDialog(frame), now };
}
