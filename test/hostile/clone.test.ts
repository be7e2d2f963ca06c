import { ADMINISTRATION, LINKS } from './attacks/administration.ts';
import { HOOKS } from './attacks/hooks.ts';
import { SETTINGS } from './attacks/settings.ts';
import { kit } from './kit.ts';

kit([...SETTINGS, ...HOOKS, ...ADMINISTRATION, ...LINKS]);
