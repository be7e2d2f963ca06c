import { type Check, failed, ok, warning } from '../../check.ts';

const MB = 1_000_000;
const LEAST = 100 * MB;
const COMFORTABLE = 1_000 * MB;

export const diskCheck: Check = {
  name: 'disk',
  async run({ root, freeBytes }) {
    const free = await freeBytes(root);
    const message = `${free < 10_000 * MB ? `${Math.floor(free / MB)} MB` : `${Math.floor(free / (1_000 * MB))} GB`} free for ${root}`;
    if (free < LEAST) return failed(message, 'Free some disk space: llmc cannot write state and journal to a full disk.');
    return free < COMFORTABLE ? warning(message, 'Each worker needs space for its own checkout.') : ok(message);
  },
};
