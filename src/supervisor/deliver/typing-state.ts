import type { Instant } from '../../base/ports.ts';
import type { TypingState, Watch } from '../observe/watch.ts';

export function noteTyping(watch: Watch, fields: Partial<TypingState>): void {
  watch.typing = { ...watch.typing, ...fields };
}

/** After the clock was set back, keys that were pressed before count as pressed now: the pauses after them would last for hours. */
export function noteSetBack(watch: Watch, now: Instant): void {
  const { wipedAt, redrawnAt, clearing, enters } = watch.typing;
  if (Math.max(wipedAt ?? 0, redrawnAt ?? 0, clearing?.at ?? 0, enters?.at ?? 0) <= now) return;
  const past = (at: Instant | undefined) => at && Math.min(at, now);
  noteTyping(watch, {
    wipedAt: past(wipedAt),
    redrawnAt: past(redrawnAt),
    clearing: clearing && { ...clearing, at: Math.min(clearing.at, now) },
    enters: enters && { ...enters, at: Math.min(enters.at, now) },
  });
}
