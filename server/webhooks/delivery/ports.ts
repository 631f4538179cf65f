import { DAY_MS } from '../../domain/time.ts';

/** Ports to which browsers send no request, because a server of another protocol could take it for its own (Fetch, 2.9). */
const BAD_PORTS: ReadonlySet<number> = new Set([
  ...[0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109],
  ...[110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530],
  ...[531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190],
  ...[5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);

/** Ports of databases, caches and queues. */
const STORE_PORTS: ReadonlySet<number> = new Set([
  ...[1433, 1521, 3306, 5432, 26257], // SQL Server, Oracle, MySQL, PostgreSQL, CockroachDB
  ...[6379, 26379, 11211, 5984, 8086], // Redis, its sentinels, memcached, CouchDB, InfluxDB
  ...[9042, 9200, 9300, 27017, 27018, 27019], // Cassandra, Elasticsearch, MongoDB
  ...[2181, 2379, 2380, 4222, 5672, 9092], // ZooKeeper, etcd, NATS, RabbitMQ, Kafka
]);

const FIRST_UNPRIVILEGED = 1024;
/** How long webhooks still go to an outdated port, counted from the upgrade to the version with these rules. */
export const OUTDATED_PORTS_FOR_MS = 30 * DAY_MS;

/** `outdated`: refused in a new URL, and allowed for a while in one that was saved before these rules. */
export type PortVerdict = 'allowed' | 'outdated' | 'refused';

export function verdictOnPort({ port }: Pick<URL, 'port'>): PortVerdict {
  // the URL parser drops the scheme's own port
  if (port === '') return 'allowed';
  const number = Number(port);
  if (number === 80 || number === 443) return 'allowed';
  if (BAD_PORTS.has(number)) return 'refused';
  return number < FIRST_UNPRIVILEGED || STORE_PORTS.has(number) ? 'outdated' : 'allowed';
}
