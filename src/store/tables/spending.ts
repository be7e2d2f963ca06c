import { type Database, inTransaction, prepared } from '../database.ts';

export interface Spent {
  readonly tokens: number;
  readonly costUsd: number;
}

export interface Counted extends Spent {
  readonly conversation: string;
}

/**
 * Adds to a day what these conversations have used since they were last counted. Their totals are kept, so that a supervisor
 * that was restarted, and reads their records from the beginning, counts nothing twice.
 */
export function countUsage(database: Database, day: string, conversations: readonly Counted[]): void {
  const news = conversations.flatMap((now) => {
    const before = readCounted(database, now.conversation);
    const more = { tokens: Math.max(0, now.tokens - before.tokens), costUsd: Math.max(0, now.costUsd - before.costUsd) };
    return more.tokens > 0 || more.costUsd > 0 ? [{ now, more }] : [];
  });
  if (news.length === 0) return;
  inTransaction(database, () => {
    for (const { now, more } of news) {
      prepared(
        database,
        'INSERT INTO usage_counted VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET tokens = max(tokens, excluded.tokens), cost_usd = max(cost_usd, excluded.cost_usd)',
      ).run(now.conversation, now.tokens, now.costUsd);
      prepared(
        database,
        'INSERT INTO usage_days VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET tokens = tokens + excluded.tokens, cost_usd = cost_usd + excluded.cost_usd',
      ).run(day, more.tokens, more.costUsd);
    }
  });
}

export function spentOn(database: Database, day: string): Spent {
  return spentIn(prepared(database, 'SELECT tokens, cost_usd FROM usage_days WHERE day = ?').get(day));
}

function readCounted(database: Database, conversation: string): Spent {
  return spentIn(prepared(database, 'SELECT tokens, cost_usd FROM usage_counted WHERE conversation = ?').get(conversation));
}

function spentIn(row: Record<string, unknown> | undefined): Spent {
  return { tokens: Number(row?.tokens ?? 0), costUsd: Number(row?.cost_usd ?? 0) };
}
