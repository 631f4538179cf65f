import { createCipheriv, createDecipheriv } from 'node:crypto';
import { digest } from '../chance.ts';
import type { Cell } from './cells.ts';

const CIPHER = 'aes-128-ecb';

export interface CarKey extends Cell {
  readonly index: number;
}

export type DriverIds = ReturnType<typeof driverIds>;

/**
 * Driver IDs. Each is one AES block that contains the car's cell and index. The server derives the driver from the ID
 * alone, and the ID reveals nothing to a client.
 */
export function driverIds(seed: string, areaId: string) {
  const key = digest(seed, 'driver ids').subarray(0, 16);
  const areaTag = digest(seed, 'driver ids of', areaId).subarray(0, 4);
  // the blocks are independent, so one cipher can encrypt them all
  const cipher = createCipheriv(CIPHER, key, null).setAutoPadding(false);
  return {
    idOf(car: CarKey): string {
      const block = Buffer.alloc(16);
      areaTag.copy(block, 0);
      block.writeInt32BE(car.row, 4);
      block.writeInt32BE(car.column, 8);
      block.writeUInt32BE(car.index, 12);
      return cipher.update(block).toString('hex');
    },
    /** The car of a driver ID; null when the ID belongs to another seed or area. */
    carOf(driverId: string): CarKey | null {
      if (!/^[0-9a-f]{32}$/.test(driverId)) return null;
      const sealed = Buffer.from(driverId, 'hex');
      const block = createDecipheriv(CIPHER, key, null).setAutoPadding(false).update(sealed);
      if (!areaTag.equals(block.subarray(0, 4))) return null;
      return { row: block.readInt32BE(4), column: block.readInt32BE(8), index: block.readUInt32BE(12) };
    },
  };
}
