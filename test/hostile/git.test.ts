import { MISLEADING } from './attacks/misleading.ts';
import { OBJECTS } from './attacks/objects.ts';
import { kit } from './kit.ts';

kit([...OBJECTS, ...MISLEADING]);
