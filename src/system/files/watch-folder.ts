import { watch } from 'node:fs';
import type { WatchFolder } from '../../base/ports.ts';

export const watchFolder: WatchFolder = (folder, onChange) => {
  const watcher = watch(folder, (_, name) => onChange(name));
  // The folder was removed, or the system ended the watch. Polling finds later changes.
  watcher.on('error', () => watcher.close());
  return { [Symbol.dispose]: () => watcher.close() };
};
