import { type FamilyId, families } from './families.ts';

/** Returns true for a stored id. Other values come from manifests and from newer servers. */
export const isFamilyId = (value: unknown): value is FamilyId =>
  typeof value === 'string' && Object.hasOwn(families, value);
