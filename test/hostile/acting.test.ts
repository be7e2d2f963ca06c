import { ACTING } from './attacks/acting.ts';
import { kit } from './kit.ts';

kit(ACTING);
