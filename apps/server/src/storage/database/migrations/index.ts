/** Every step of the schema in its order. A step that was released is never changed; a new one is added. */
import type { Migration } from 'kysely/migration';
import { feedback } from './0001-feedback.ts';

export const migrations: Readonly<Record<string, Migration>> = {
  '0001-feedback': feedback,
};
