import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The free bytes for an ordinary user on the disk of `path`, which may not exist yet. */
export async function freeBytes(path: string): Promise<number> {
  for (let at = path; ; at = dirname(at)) {
    try {
      const { bavail, bsize } = await statfs(at);
      return bavail * bsize;
    } catch (error) {
      if (at === dirname(at)) throw error;
    }
  }
}
