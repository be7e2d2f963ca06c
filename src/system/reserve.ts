import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/** Enough for a few callers at once, and for a program with its pipes. */
const KEPT = 16;

/** Open files that a process keeps so that it can give them up when the system grants no more. */
export interface Reserve extends Disposable {
  /** Fills the reserve and proves that one more file can be opened. Throws what the system says if not. */
  hold(): void;
  /** Gives all of them up: something else can be opened now. */
  release(): void;
}

export function openReserve(): Reserve {
  const kept: number[] = [];
  const release = () => {
    for (const fd of kept.splice(0)) closeSync(fd);
  };
  return {
    hold() {
      while (kept.length < KEPT) kept.push(openSync(devNull, 'r'));
      closeSync(openSync(devNull, 'r'));
    },
    release,
    [Symbol.dispose]: release,
  };
}
