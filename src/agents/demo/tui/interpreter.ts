/** The Node that runs llmc also runs the demo agent: the one on the user's PATH may be older. */
export const interpreter: string = process.execPath;
