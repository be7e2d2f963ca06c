import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { NO_SCENARIO, type Scenario } from './step.ts';

/** A file, or a directory with one file per worker or role. A worker without one gets the built-in behaviour. */
export async function findScenario(place: string | undefined, worker: string): Promise<Scenario> {
  if (!place) return NO_SCENARIO;
  if (!existsSync(place)) throw new Error(`scenario ${place} does not exist`);
  const files = statSync(place).isDirectory() ? scenarioNames(worker).map((name) => join(place, `${name}.yaml`)) : [place];
  const file = files.find((one) => existsSync(one));
  if (file === undefined) return NO_SCENARIO;
  // yaml and zod take longer to load than the rest of the program, so load them only for a scenario.
  const { parseScenario } = await import('./scenario.ts');
  const parsed = parseScenario(readFileSync(file, 'utf8'), file);
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'));
  return parsed.scenario;
}

/**
 * The names that a scenario of this worker can have, the closest first. The worker of a run is called
 * `<run>-<role>` or `<run>-<role>-<n>`, and the number of a run is not known before it starts.
 */
export function scenarioNames(worker: string): readonly string[] {
  const endings = (name: string) => name.split('-').map((_, index, parts) => parts.slice(index).join('-'));
  return [...new Set([...endings(worker), ...endings(worker.replace(/-\d+$/, ''))])].filter((name) => name !== '');
}
