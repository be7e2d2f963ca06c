import { z } from 'zod';
import { readTextIfThere } from '../../system/files/files.ts';

const ownerSchema = z.object({
  pid: z.int(),
  what: z.string(),
  since_unix: z.int().positive().optional(),
  since_ms: z.number().positive().optional(),
  /** Only a supervisor says it; the first versions did not. */
  version: z.string().optional(),
  /** The service that starts it again. */
  service: z.string().optional(),
});

/** The holder of the root's lock, as it described itself; undefined without such a file. */
export function readOwner(path: string): z.infer<typeof ownerSchema> | undefined {
  try {
    return ownerSchema.safeParse(JSON.parse(readTextIfThere(path) ?? 'null')).data;
  } catch {
    return undefined;
  }
}
