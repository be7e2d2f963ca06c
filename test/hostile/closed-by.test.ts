import { expect, test } from 'vitest';
import { ACTING } from './attacks/acting.ts';
import { ADMINISTRATION, LINKS } from './attacks/administration.ts';
import { HOOKS } from './attacks/hooks.ts';
import { LINES } from './attacks/lines.ts';
import { LIVE } from './attacks/live.ts';
import { MISLEADING } from './attacks/misleading.ts';
import { NEIGHBOURS } from './attacks/neighbours.ts';
import { NESTED_REPOSITORIES } from './attacks/nested.ts';
import { OBJECTS } from './attacks/objects.ts';
import { PATHS } from './attacks/paths.ts';
import { RESCUES } from './attacks/rescues.ts';
import { SETTINGS } from './attacks/settings.ts';
import { TEXTS } from './attacks/texts.ts';
import { TREES } from './attacks/trees.ts';
import { CLOSING_COMMITS } from './closed-by.ts';

const GROUPS = [
  ACTING,
  ADMINISTRATION,
  LINKS,
  HOOKS,
  LINES,
  MISLEADING,
  NEIGHBOURS,
  NESTED_REPOSITORIES,
  OBJECTS,
  PATHS,
  RESCUES,
  SETTINGS,
  TEXTS,
  TREES,
].flat();
const ATTACKS = [...GROUPS.flatMap(({ attacks }) => attacks), ...LIVE];

test('every closing commit closed an attack', () => {
  const used = new Set(ATTACKS.flatMap(({ closedBy }) => closedBy ?? []));
  expect([...used].toSorted()).toEqual(Object.keys(CLOSING_COMMITS).toSorted());
});

test('no two attacks have one name', () => {
  const names = ATTACKS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
