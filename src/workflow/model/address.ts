/** An address without an item is the id of a stage; ids and keys contain no slash. */
export interface AddressParts {
  readonly stage: string;
  readonly key: string | null;
}

export function splitAddress(address: string): AddressParts {
  const slash = address.indexOf('/');
  return slash === -1 ? { stage: address, key: null } : { stage: address.slice(0, slash), key: address.slice(slash + 1) };
}

/** `sections/s3` for an item of the stage `sections`, `5/s3` for the stage `5` of this item. */
export function inItem(stage: string, key: string): string {
  return `${stage}/${key}`;
}

/** The key of an item, or of a stage of one. */
export function keyIn(address: string): string {
  return splitAddress(address).key ?? address;
}

/** Whether the step belongs to an item: there may be hundreds of them. */
export function isOfItem(address: string): boolean {
  return address.includes('/');
}
