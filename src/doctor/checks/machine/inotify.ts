import { type Check, ok, warning } from '../../check.ts';

/** A supervisor needs one instance and a watch per worker and folder; editors and the agents' own tools take most of them. */
const LEAST = { max_user_instances: 128, max_user_watches: 8_192 } as const;

/** Whether Linux allows enough folder watches. Without them llmc polls and reacts later; some agents' tools fail. */
export const inotifyCheck: Check = {
  name: 'folder watches',
  async run({ readNumber }) {
    const low = Object.entries(LEAST).flatMap(([name, least]) => {
      const limit = readNumber(`/proc/sys/fs/inotify/${name}`);
      return limit === undefined || limit >= least ? [] : [{ name, limit, least }];
    });
    if (low.length === 0) return ok('the limits of this system are high enough');
    const set = low.map(({ name, least }) => `fs.inotify.${name}=${least * 4}`).join(' ');
    return warning(low.map(({ name, limit }) => `fs.inotify.${name} is only ${limit}`).join(', '), `sudo sysctl ${set}`);
  },
};
