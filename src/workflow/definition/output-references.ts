import * as z from 'zod';
import { describeError } from '../../base/error.ts';
import type { Path } from '../../config/problems/expectation.ts';
import { keyText, type Problem, quote } from '../../config/problems/problem.ts';
import { artifactName, isStructured, listOutputFiles, type OutputSpec } from './output-files.ts';

/** Files of the exchange folder that have another meaning. */
const TAKEN = /^(?:progress\.yaml$|messages\/)/;

/** What is wrong with the files that a stage is to leave. */
export function outputProblems(stage: Path, output: OutputSpec): readonly Problem[] {
  if (output === 'commit' || output === 'answer') return [];
  const names = new Map<string, string>();
  return listOutputFiles(output).flatMap(({ path: file, schema }): Problem[] => {
    const path = locateOutput(stage, output, file);
    const about = path.at(-1) === file ? 'key' : 'value';
    const problem = (message: string): Problem[] => [{ path, about, message: `${keyText([...stage, 'output'])}: ${message}` }];
    if (TAKEN.test(file)) return problem(`the file ${quote(file)} has another meaning; expected another name`);
    const name = artifactName(file);
    const other = names.get(name);
    if (other !== undefined)
      return problem(`${quote(other)} and ${quote(file)} are both called ${quote(name)} in paths; expected another name`);
    names.set(name, file);
    if (schema === undefined) return [];
    if (!isStructured(file)) return problem(`only a YAML or JSON file can have a schema, and ${quote(file)} is neither`);
    const flaw = schemaFlaw(schema);
    return flaw === undefined ? [] : problem(`the schema of ${quote(file)} is not a JSON Schema: ${flaw}`);
  });
}

/** Where a file stands: as the output, as an element of its list, or as the key of its schema. */
function locateOutput(stage: Path, output: OutputSpec, file: string): Path {
  const at = [...stage, 'output'];
  if (typeof output === 'string') return at;
  if (!Array.isArray(output)) return [...at, file];
  const index = output.findLastIndex((entry) => (typeof entry === 'string' ? entry === file : Object.hasOwn(entry, file)));
  return typeof output[index] === 'string' ? [...at, index] : [...at, index, file];
}

function schemaFlaw(schema: Readonly<Record<string, unknown>>): string | undefined {
  try {
    z.fromJSONSchema(schema);
    return undefined;
  } catch (error) {
    return describeError(error);
  }
}
