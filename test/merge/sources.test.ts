import { SOURCES } from './scenarios/sources.ts';
import { table } from './table.ts';

table('situations of the source', SOURCES);
