/** The Node that runs llmc also runs the demo agent, because the Node on the user's PATH may be older. */
export const interpreter: string = process.execPath;
