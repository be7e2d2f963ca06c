import type { Instant } from '../../../base/ports.ts';
import type { Screen } from '../../../terminal/screen.ts';
import type { View } from '../../screen-rules/rules.ts';
import { type Dialog, readDialog } from './dialog.ts';
import { type Frame, readFrame } from './frame.ts';
import { readTurn, type Turn } from './turn.ts';

export type ClaudeView = View<Frame, Turn, Dialog>;

export function viewOf(screen: Screen, now: Instant | undefined): ClaudeView {
  const frame = readFrame(screen);
  return { frame, turn: readTurn(frame), dialog: readDialog(frame), now };
}
