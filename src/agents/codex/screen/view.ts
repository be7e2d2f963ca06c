import type { Instant } from '../../../base/ports.ts';
import type { Screen } from '../../../terminal/screen.ts';
import type { ScreenView } from '../../screen-rules/rules.ts';
import { type CodexDialog, readDialog } from './dialog.ts';
import { type CodexFrame, readFrame } from './frame.ts';
import { type CodexTurn, readTurn } from './turn.ts';

export type CodexView = ScreenView<CodexFrame, CodexTurn, CodexDialog>;

export function readCodexView(screen: Screen, now: Instant | undefined): CodexView {
  const frame = readFrame(screen);
  const dialog = readDialog(frame);
  // A dialog covers the end of the conversation.
  return { frame, turn: readTurn(frame.above.slice(0, dialog?.from)), dialog, now };
}
