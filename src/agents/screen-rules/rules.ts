import type { Instant } from '../../base/ports.ts';
import type { Activity } from '../activity.ts';
import type { InputBox, ScreenReading } from '../agent.ts';
import type { OpenDialog } from './dialog.ts';

/** The parts of a screen. An agent adds the parts that only its own rules read. */
export interface ScreenFrame {
  /** Without blanks at the end of a line. */
  readonly lines: readonly string[];
  readonly box: InputBox;
  /** The lines above the box; without a box, the whole screen. */
  readonly above: readonly string[];
}

/** Everything a rule may read. */
export interface ScreenView<F extends ScreenFrame = ScreenFrame, T = unknown, D extends OpenDialog = OpenDialog> {
  readonly frame: F;
  /** The parts of the latest turn that the conversation shows. */
  readonly turn: T;
  readonly dialog: D | undefined;
  /** Converts a shown time of day into an instant; without it a reset time stays unknown. */
  readonly now: Instant | undefined;
}

export type Read<V> = (view: V) => Activity | undefined;

export interface ScreenRule<V> {
  /** `llmc why` prints it. */
  readonly name: string;
  readonly confidence: number;
  readonly read: Read<V>;
}

/** Classifies a screen by the first rule that reads something, so the order of the rules is part of their meaning. */
export function classifyByRules<V extends ScreenView>(
  view: V,
  rules: readonly ScreenRule<V>[],
  otherwise = 'no rule matches this screen',
): ScreenReading {
  const { box } = view.frame;
  for (const { name, confidence, read } of rules) {
    const activity = read(view);
    if (activity === undefined) continue;
    // A dead pane keeps its last frame: its box accepts no text.
    return { activity, confidence, rule: name, box: activity.kind === 'exited' ? { kind: 'absent' } : box };
  }
  return { activity: { kind: 'unknown' }, confidence: 0, rule: otherwise, box };
}

export const hasBox = ({ frame }: ScreenView): boolean => frame.box.kind !== 'absent';

export const readFreeBox: Read<ScreenView> = (view) => (hasBox(view) ? { kind: 'ready' } : undefined);

export const readBlank: Read<ScreenView> = ({ frame }) => (frame.lines.every((line) => line === '') ? { kind: 'starting' } : undefined);
