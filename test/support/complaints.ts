import { expect } from 'vitest';
import { z } from 'zod';
import type { World } from './world.ts';

const doctor = z.object({
  healthy: z.boolean(),
  checks: z.array(
    z.object({ name: z.string(), level: z.enum(['ok', 'warning', 'failed']), message: z.string(), hint: z.string().optional() }),
  ),
});

/** The failed checks of llmc doctor, by name. */
export async function complaints(world: World, env: Record<string, string> = {}) {
  const { status, stdout } = await world.run(['doctor', '--json'], { env });
  const { healthy, checks } = doctor.parse(JSON.parse(stdout));
  expect(status).toBe(healthy ? 0 : 2);
  return Object.fromEntries(checks.filter(({ level }) => level === 'failed').map((check) => [check.name, check]));
}
