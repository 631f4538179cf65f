import { createCipheriv, createDecipheriv } from 'node:crypto';
import { digest } from '../chance.ts';
import type { Cell } from './cells.ts';

/** A car, by its cell and its index in the cell. */
export interface CarKey extends Cell {
  readonly index: number;
}

/**
 * A driver's id: one AES block that holds the car's cell and index. The server computes the driver from the id alone,
 * and the id tells a client nothing.
 */
export function driverIdOf(seed: string, areaId: string, car: CarKey): string {
  const block = Buffer.alloc(16);
  areaTag(seed, areaId).copy(block, 0);
  block.writeInt32BE(car.row, 4);
  block.writeInt32BE(car.column, 8);
  block.writeUInt32BE(car.index, 12);
  return createCipheriv('aes-128-ecb', keyOf(seed), null).setAutoPadding(false).update(block).toString('hex');
}

/** The car of a driver id; null when the id belongs to another seed or area. */
export function carOfDriver(seed: string, areaId: string, driverId: string): CarKey | null {
  if (!/^[0-9a-f]{32}$/.test(driverId)) return null;
  const sealed = Buffer.from(driverId, 'hex');
  const block = createDecipheriv('aes-128-ecb', keyOf(seed), null).setAutoPadding(false).update(sealed);
  if (!areaTag(seed, areaId).equals(block.subarray(0, 4))) return null;
  return { row: block.readInt32BE(4), column: block.readInt32BE(8), index: block.readUInt32BE(12) };
}

function keyOf(seed: string): Buffer {
  return digest(seed, 'driver ids').subarray(0, 16);
}

function areaTag(seed: string, areaId: string): Buffer {
  return digest(seed, 'driver ids of', areaId).subarray(0, 4);
}
