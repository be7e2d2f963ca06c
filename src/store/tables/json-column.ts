import { z } from 'zod';

/** A column that holds JSON of this form. */
export const jsonColumn = <Schema extends z.ZodType>(schema: Schema) =>
  z.codec(z.string(), schema, {
    decode: (text) => JSON.parse(text),
    encode: (value) => JSON.stringify(value),
  });
