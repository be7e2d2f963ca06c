import { NESTED_REPOSITORIES } from './attacks/nested.ts';
import { PATHS } from './attacks/paths.ts';
import { RESCUES } from './attacks/rescues.ts';
import { kit } from './kit.ts';

kit([...NESTED_REPOSITORIES, ...PATHS, ...RESCUES]);
