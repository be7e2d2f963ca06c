import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { NO_SCENARIO, type Scenario } from './step.ts';

/** A file, or a directory with one file per worker: `<worker>.yaml`. A worker without one gets the built-in behaviour. */
export async function findScenario(place: string | undefined, worker: string): Promise<Scenario> {
  if (!place) return NO_SCENARIO;
  if (!existsSync(place)) throw new Error(`scenario ${place} does not exist`);
  const file = statSync(place).isDirectory() ? join(place, `${worker}.yaml`) : place;
  if (!existsSync(file)) return NO_SCENARIO;
  // yaml and zod take longer to load than the rest of the program, so load them only for a scenario.
  const { parseScenario } = await import('./scenario.ts');
  const parsed = parseScenario(readFileSync(file, 'utf8'), file);
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'));
  return parsed.scenario;
}
