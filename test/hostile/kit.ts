import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Group, slugOf } from './attack.ts';
import { changes, harmfulLines, taken, unreviewed, unwarned, witness } from './harm.ts';
import { Stage } from './stage.ts';

/** Declares one test per attack of the groups. They share one stage, one after the other. */
export function kit(groups: readonly Group[]): void {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.make();
  });
  afterAll(async () => {
    await stage[Symbol.asyncDispose]();
  });
  for (const group of groups) {
    const [attack, ...others] = group.attacks;
    if (attack !== undefined && others.length === 0) {
      test(`point ${attack.point}: ${attack.name}`, async () => {
        const harm = await harmOf(stage, group);
        expect(harm, harm.join('\n')).toEqual([]);
      });
      continue;
    }
    describe(group.about, () => {
      let harm: readonly string[];
      beforeAll(async () => {
        harm = await harmOf(stage, group);
      });
      const isOf = (slug: string) => (line: string) => line.includes(slug);
      const slugs = group.attacks.map(slugOf);
      for (const [index, { point, name }] of group.attacks.entries()) {
        test(`point ${point}: ${name}`, () => {
          const done = harm.filter(isOf(slugs[index] ?? ''));
          expect(done, done.join('\n')).toEqual([]);
        });
      }
      test('nothing else happens', () => {
        const done = harm.filter((line) => !slugs.some((slug) => isOf(slug)(line)));
        expect(done, done.join('\n')).toEqual([]);
      });
    });
  }
}

/** Sets up the attacks of a group, lets the user work, and lists the harm done. */
async function harmOf(stage: Stage, { attacks, steps }: Group): Promise<readonly string[]> {
  // Only the program itself makes text safe for a terminal.
  const ofTexts = attacks.some(({ harm }) => harm === 'terminal');
  stage.reset();
  for (const attack of attacks) stage.setUp(attack);
  const start = steps.findIndex((step) => 'user' in step && step.user.startsWith('llmc'));
  await stage.perform(steps.slice(0, start));
  const [before, main] = [witness(stage), stage.main];
  const typed = await stage.perform(steps.slice(start), { bundle: ofTexts });
  return [
    ...stage.sprung.map((slug) => `runs: ${slug}`),
    ...changes(before, witness(stage)).map((file) => `outside: ${file}`),
    ...taken(stage).map((file) => `outside: ${file} came into the repository of the root`),
    ...(ofTexts ? harmfulLines(typed) : []).map((line) => `terminal: ${line}`),
    ...(ofTexts ? [] : unreviewed(stage, typed, main)).map((what) => `lands: ${what}`),
    ...attacks.filter((attack) => unwarned(typed, attack.unseen)).map((attack) => `unseen: ${slugOf(attack)}`),
    ...(attacks.some(({ harm }) => harm === 'stuck') ? typed.filter(({ status }) => status !== 0) : []).map(
      ({ command, stderr }) => `stuck: ${command}: ${stderr}`,
    ),
    ...typed.filter(({ status }) => status === null).map(({ command, stderr }) => `dead: ${command}: ${stderr}`),
  ];
}
