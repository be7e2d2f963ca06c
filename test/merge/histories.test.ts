import { HISTORIES } from './scenarios/histories.ts';
import { table } from './table.ts';

table('histories of both sides', HISTORIES);
