/** Reasons why a link that once worked leads nowhere. Private and unknown items are not distinguished. */
import type { Queries } from '../../storage/database/database.ts';
import type { SharedType } from './shared-item.ts';

export type LinkAbsence = 'taken-down' | 'share-ended';

/**
 * Returns null if the link must look unknown to strangers.
 *
 * @param now ISO 8601, UTC.
 */
export async function linkAbsence(
  queries: Queries,
  type: SharedType,
  shareId: string,
  now: string,
): Promise<LinkAbsence | null> {
  if (type === 'project') {
    const project = await queries
      .selectFrom('firmware_projects')
      .select(['withheld', 'is_public', 'share_ends_at'])
      .where('share_id', '=', shareId)
      .executeTakeFirst();
    return project === undefined
      ? null
      : absenceOf(project.withheld !== null, project.is_public === 1, project.share_ends_at, now);
  }
  const version = await queries
    .selectFrom('firmware_versions as v')
    .innerJoin('firmware_projects as p', 'p.id', 'v.project_id')
    .select([
      'v.withheld',
      'v.is_public',
      'v.share_ends_at',
      'p.withheld as projectWithheld',
      'p.is_public as inPublic',
    ])
    .where('v.share_id', '=', shareId)
    .executeTakeFirst();
  if (version === undefined) {
    return null;
  }
  const { withheld, projectWithheld, is_public: isPublic, inPublic, share_ends_at: end } = version;
  // A version that its owner made private, in a project that was taken down, stays unknown.
  const isTakenDown =
    withheld === null ? projectWithheld !== null && isPublic === 1 : inPublic === 1 || projectWithheld !== null;
  return absenceOf(isTakenDown, isPublic === 1 && inPublic === 1, end, now);
}

function absenceOf(isTakenDown: boolean, isPublic: boolean, end: string | null, now: string): LinkAbsence | null {
  if (isTakenDown) {
    return 'taken-down';
  }
  return isPublic && end !== null && end <= now ? 'share-ended' : null;
}
