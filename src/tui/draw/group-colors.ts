import type { Group } from '../../supervisor/report/worker-words.ts';
import type { Color } from '../screen/line.ts';

/** The colour of a worker's status, the same in the counts and in the list. */
export const GROUP_COLORS: Readonly<Record<Group, Color>> = {
  asks: 'yellow',
  'needs you': 'yellow',
  failed: 'red',
  'to review': 'green',
  working: 'cyan',
  idle: 'gray',
  offline: 'gray',
};
