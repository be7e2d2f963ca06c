import type { TypingState, Watch } from '../observe/watch.ts';

export function noteTyping(watch: Watch, fields: Partial<TypingState>): void {
  watch.typing = { ...watch.typing, ...fields };
}
