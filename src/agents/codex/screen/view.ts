import type { Instant } from '../../../base/ports.ts';
import type { Screen } from '../../../terminal/screen.ts';
import type { View } from '../../screen-rules/rules.ts';
import { type Dialog, readDialog } from './dialog.ts';
import { type Frame, readFrame } from './frame.ts';
import { readTurn, type Turn } from './turn.ts';

export type CodexView = View<Frame, Turn, Dialog>;

export function viewOf(screen: Screen, now: Instant | undefined): CodexView {
  const frame = readFrame(screen);
  const dialog = readDialog(frame);
  // A dialog covers the end of the conversation.
  return { frame, turn: readTurn(frame.above.slice(0, dialog?.from)), dialog, now };
}
