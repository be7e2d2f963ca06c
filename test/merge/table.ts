import { describe, test } from 'vitest';
import { check } from './check.ts';
import { makeWork, perform } from './perform.ts';
import type { Scenario } from './scenario.ts';

/** Declares one test per scenario. */
export function table(about: string, scenarios: readonly Scenario[]): void {
  describe.concurrent(about, () => {
    for (const scenario of scenarios)
      test(scenario.name, async () => {
        await using work = await makeWork(scenario);
        await check(scenario, await perform(work, scenario));
      });
  });
}
