import type { Signals } from '../../base/ports.ts';
import { trySignal } from './signal.ts';
import { endStrays } from './strays.ts';

export const systemSignals: Signals = {
  isAlive: (pid) => trySignal(pid, 0),
  send: trySignal,
  killStrays: endStrays,
};
