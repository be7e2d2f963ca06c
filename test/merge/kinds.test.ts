import { KINDS } from './scenarios/kinds.ts';
import { table } from './table.ts';

table('types of conflicts', KINDS);
