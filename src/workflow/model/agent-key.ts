import { splitAddress } from './address.ts';

/** Under which name a run remembers which agent a role uses: for the stages of an item, one of the item's own. */
export function agentKey(role: string, address: string): string {
  const { key } = splitAddress(address);
  return key === null ? role : `${role}/${key}`;
}
