import { z } from 'zod';

/** An email address or an ID from an operator. Keeps other characters from the database. */
export const NAMED = z
  .string()
  .trim()
  .min(1)
  .max(254)
  .regex(/^[^\p{Cc}\p{Cs}\s]+$/u);

/** The ID after which a list continues. */
export const AFTER = z
  .string()
  .regex(/^[\w-]{1,64}$/)
  .nullable();
