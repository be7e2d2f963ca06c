/**
 * What a person has written about work and not sent yet, and what was sent back with which remarks. Both end with the work.
 * A migration: never change it.
 */
export const REVIEW_TABLES = `
  CREATE TABLE drafts (
    id TEXT PRIMARY KEY,
    worker TEXT NOT NULL,
    kind TEXT NOT NULL,
    content TEXT NOT NULL,
    at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX drafts_by_worker ON drafts (worker, at_ms);
  CREATE TABLE rejections (
    delivery TEXT PRIMARY KEY,
    worker TEXT NOT NULL,
    reviewed TEXT,
    feedback TEXT NOT NULL,
    notes TEXT NOT NULL,
    drafts TEXT NOT NULL,
    at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX rejections_by_worker ON rejections (worker, at_ms);
`;
