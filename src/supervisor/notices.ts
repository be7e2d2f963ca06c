import type { Worker } from '../store/state.ts';

export interface Notices {
  /** Called after each change of status; decides by itself whether a person is needed. */
  moved(worker: Worker): void;
}
