import { OUTCOMES } from './scenarios/outcomes.ts';
import { table } from './table.ts';

table('what agents do with a conflict', OUTCOMES);
