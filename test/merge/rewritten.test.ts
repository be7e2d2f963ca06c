import { REWRITTEN } from './scenarios/rewritten.ts';
import { table } from './table.ts';

table('main was rewritten', REWRITTEN);
