import { openReadOnlyAnywhere } from '../../store/database.ts';
import type { Layout } from '../../store/layout.ts';
import { requireRoot } from '../../supervisor/ownership/require-root.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import { readOutputs } from '../../workers/search/read-outputs.ts';
import { type SearchRequest, type SearchResult, searchRoot } from '../../workers/search/search-root.ts';

/** Searches a root beside its owner. */
export function readSearch(layout: Layout, request: SearchRequest): SearchResult {
  requireRoot(layout);
  using database = openReadOnlyAnywhere(layout.database);
  return searchRoot(database, request, readOutputs(layout, systemFiles, request.worker));
}
