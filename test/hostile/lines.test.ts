import { LINES } from './attacks/lines.ts';
import { kit } from './kit.ts';

kit(LINES);
