import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { overrides } from './arrows.ts';

/** Puts the arrows of scripts/arrows.ts into biome.json. */
const path = join(import.meta.dirname, '../biome.json');
const config: object = JSON.parse(readFileSync(path, 'utf8'));
writeFileSync(path, JSON.stringify({ ...config, overrides: overrides() }));
spawnSync(join(import.meta.dirname, '../node_modules/.bin/biome'), ['format', '--write', path], { stdio: 'inherit' });
