import { expressionBuilder } from 'kysely';
import type { Database } from './schema.ts';

/** Builds subqueries without the database object, whose plugins would process each one as a separate query. */
export const subqueries = expressionBuilder<Database, never>();
