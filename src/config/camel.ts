type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name;

/** The same object with `skip_permissions` spelled `skipPermissions`; values are left as they are. */
export type CamelKeys<T> = { [Key in keyof T as Key extends string ? Camel<Key> : Key]: T[Key] };

// The overload carries the type: Object.fromEntries forgets which value belongs to which key.
export function camelKeys<T extends object>(table: T): CamelKeys<T>;
export function camelKeys(table: object): object {
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [camelCase(key), value]));
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
