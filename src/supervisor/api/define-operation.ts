import { z } from 'zod';
import { showsNothing } from '../../base/shows-nothing.ts';
import type { WorkContext } from '../../workers/context.ts';
import { checkArgs } from './check-args.ts';

interface Operation<Args, Result> {
  readonly args: z.ZodType<Args>;
  /** Whether a person must be there to type or to watch. */
  readonly needsSupervisor: boolean;
  readonly run: (context: WorkContext, args: Args) => Promise<Result>;
}

interface Offered<Args, Result> extends Operation<Args, Result> {
  /** Checks arguments from the wire, then runs. */
  readonly perform: (context: WorkContext, args: unknown) => Promise<Result>;
}

export function define<Args, Result>(operation: Operation<Args, Result>): Offered<Args, Result> {
  return {
    ...operation,
    async perform(context, args) {
      return await operation.run(context, checkArgs(operation.args, args));
    },
  };
}

/** The caller prints the result in words, and not as JSON: it shows an open dialog to the person who reads them. */
export const inWords = z.boolean().optional();

/** What an agent or a person gets to read: a text that shows nothing is refused as empty. */
export const shownText = z.string().refine((text) => !showsNothing(text), 'the text is empty');
