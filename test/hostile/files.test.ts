import { PATHS } from './attacks/paths.ts';
import { RESCUES } from './attacks/rescues.ts';
import { kit } from './kit.ts';

kit([...PATHS, ...RESCUES]);
