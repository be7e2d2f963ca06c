type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name;

/** Renames keys such as `skip_permissions` to `skipPermissions`; keeps the values. */
export type CamelKeys<T> = { [Key in keyof T as Key extends string ? Camel<Key> : Key]: T[Key] };

// The overload has the type, because Object.fromEntries loses the relation of keys and values.
export function camelKeys<T extends object>(table: T): CamelKeys<T>;
export function camelKeys(table: object): object {
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [camelCase(key), value]));
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
