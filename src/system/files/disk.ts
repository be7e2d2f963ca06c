import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What an ordinary user may still write on the disk that holds `path`, or will hold it. */
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
