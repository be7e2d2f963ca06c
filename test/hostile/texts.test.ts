import { TEXTS } from './attacks/texts.ts';
import { kit } from './kit.ts';

kit(TEXTS);
