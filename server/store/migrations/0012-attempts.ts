import { type Kysely, sql } from 'kysely';

const ATTEMPTS_KEPT = 20;
const CHARACTERS_KEPT = 1000;

/**
 * Attempts were stored without a bound, each with up to 20 kB. Keeps the latest attempts of each event and shortens
 * their texts, so that event lists stay fast on older databases too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    delete from attempts where number <= (
      select earlier_attempts + deliveries.attempts - ${sql.lit(ATTEMPTS_KEPT)}
      from deliveries where deliveries.event_id = attempts.event_id
    )`.execute(db);
  for (const column of ['answer', 'error']) {
    const text = sql.ref(column);
    await sql`
      update attempts set ${text} = substr(${text}, 1, ${sql.lit(CHARACTERS_KEPT)})
      where length(${text}) > ${sql.lit(CHARACTERS_KEPT)}`.execute(db);
  }
}
