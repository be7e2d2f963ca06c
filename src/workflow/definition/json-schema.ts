import * as z from 'zod';
import type { Node } from '../../config/problems/expectation.ts';
import { workflowSchema } from './schema.ts';

/** The schema of a workflow file for editors: with references to what occurs several times, or with everything in its place. */
export function workflowJsonSchema(reused: 'ref' | 'inline' = 'ref'): Node {
  return { ...z.toJSONSchema(workflowSchema, { io: 'input', reused }), title: 'A workflow of llmc' };
}
