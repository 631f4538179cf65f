import { z } from 'zod';

/** How an operator names something: an email address, or an id. Only these characters reach the database. */
export const NAMED = z
  .string()
  .trim()
  .min(1)
  .max(254)
  .regex(/^[^\p{Cc}\p{Cs}\s]+$/u);

/** Behind which id a list goes on. */
export const AFTER = z
  .string()
  .regex(/^[\w-]{1,64}$/)
  .nullable();
