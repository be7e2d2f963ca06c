import type { Run } from './run.ts';

/** Every role of the workflow, and whether its agents are lost. */
export function listRoles({
  plan,
  roles,
}: Pick<Run, 'plan' | 'roles'>): readonly { readonly name: string; readonly unavailable: boolean }[] {
  return Object.keys(plan.roles).map((name) => ({ name, unavailable: Object.hasOwn(roles, name) && roles[name]?.unavailable === true }));
}
