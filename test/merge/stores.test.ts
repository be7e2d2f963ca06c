import { STORES } from './scenarios/stores.ts';
import { table } from './table.ts';

table('git-lfs and submodules', STORES);
