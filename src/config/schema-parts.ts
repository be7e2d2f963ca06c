import * as z from 'zod';
import { camelKeys } from './camel.ts';

/** Registers a description without `schema.describe()`, whose copies cost more than reading the file at every start of llmc. */
export function option<Schema extends z.ZodType>(description: string, schema: Schema): Schema {
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), description });
  return schema;
}

/** A TOML table: snake_case outside, camelCase inside, unknown keys refused. */
export function section<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape).transform(camelKeys);
}

// A program cannot get a NUL byte, neither as an argument nor in its environment.
export const text = z.string().regex(/^[^\0]*$/, { error: 'expected text without NUL characters' });
