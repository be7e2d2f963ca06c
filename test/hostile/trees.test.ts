import { TREES } from './attacks/trees.ts';
import { kit } from './kit.ts';

kit(TREES);
