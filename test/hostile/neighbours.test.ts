import { NEIGHBOURS } from './attacks/neighbours.ts';
import { kit } from './kit.ts';

kit(NEIGHBOURS);
