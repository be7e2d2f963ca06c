import { isSupervised } from '../../supervisor/api/client.ts';
import type { Shell } from '../shell.ts';

/** Whether a supervisor drives the runs. One that does not answer is one that runs. */
export async function isWatched({ layout }: Pick<Shell, 'layout'>): Promise<boolean> {
  return await isSupervised(layout.apiSocket, layout.owner).catch(() => true);
}
