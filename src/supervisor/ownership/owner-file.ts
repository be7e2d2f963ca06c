import { z } from 'zod';
import { readTextIfThere } from '../../system/files/files.ts';

const ownerSchema = z.object({ pid: z.int(), what: z.string(), since_unix: z.int().positive().optional() });

/** Who holds the root's lock, in its own words; undefined when it has left none. */
export function readOwner(path: string): z.infer<typeof ownerSchema> | undefined {
  try {
    return ownerSchema.safeParse(JSON.parse(readTextIfThere(path) ?? 'null')).data;
  } catch {
    return undefined;
  }
}
