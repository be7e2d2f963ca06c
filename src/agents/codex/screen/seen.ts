import type { Instant } from '../../../base/ports.ts';
import { type Dialog, readDialog } from './dialog.ts';
import type { Frame } from './frame.ts';
import { readTurn, type Turn } from './turn.ts';

/** Everything a rule may look at. */
export interface Seen {
  readonly frame: Frame;
  readonly turn: Turn;
  readonly dialog: Dialog | undefined;
  /** Turns a shown time of day into an instant. */
  readonly now: Instant | undefined;
}

export function see(frame: Frame, now: Instant | undefined): Seen {
  const dialog = readDialog(frame);
  return { frame, turn: readTurn(dialog === undefined ? frame.above : frame.above.slice(0, dialog.from)), dialog, now };
}

export const hasBox = ({ frame }: Seen): boolean => frame.box.kind !== 'absent';
