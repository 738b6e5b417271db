/** Calls about the links of projects and versions. */
import { firmwarePaths, ProjectAnswer, VersionAnswer } from '@wirebench/contract';
import { api } from '../../../shared/api/api.ts';
import type { AnswerSchema } from '../../../shared/api/api-client.ts';
import type { ItemType } from '../release-texts.ts';
import { refreshProjects } from './projects.ts';

/** The new share id; links with the old one are dead. */
export async function renewLink(type: ItemType, id: string): Promise<string> {
  const shareId =
    type === 'project'
      ? (await change(firmwarePaths.projectShareRenewal(id), ProjectAnswer)).project.shareId
      : (await change(firmwarePaths.versionShareRenewal(id), VersionAnswer)).version.shareId;
  await refreshProjects();
  return shareId;
}

/** @param endsAt ISO 8601 in UTC; null takes the end away */
export async function setLinkEnd(type: ItemType, id: string, endsAt: string | null): Promise<void> {
  if (type === 'project') {
    await change(firmwarePaths.projectShareEnd(id), ProjectAnswer, { endsAt });
  } else {
    await change(firmwarePaths.versionShareEnd(id), VersionAnswer, { endsAt });
  }
  await refreshProjects();
}

async function change<Answer>(path: string, schema: AnswerSchema<Answer>, body?: object): Promise<Answer> {
  return (await api()).request(path, schema, { method: 'POST', ...(body === undefined ? {} : { body }) });
}
