/** Shared and reported items, and an operator, for suites about moderation. */
import { AuditList, type ModeratedItem, moderationPaths, ReportList, reportsPath } from '@wirebench/contract';
import { callApi } from './api-user.ts';
import { pngFile } from './pictures.ts';
import { releaseClient } from './release-client.ts';
import type { TestApp } from './test-app.ts';

const operatorClaims = {
  sub: 'subject-of-operator',
  preferred_username: 'operator',
  email: 'ada@operators.example',
  realm_access: { roles: ['user', 'admin'] },
};

export async function operatorOf(test: TestApp) {
  const headers = await test.bearer(operatorClaims);
  const post = (url: string, reason: unknown = 'Because') => callApi(test, headers, 'POST', url, { reason });
  return {
    headers,
    get: (url: string) => callApi(test, headers, 'GET', url),
    post,
    reports: async () => ReportList.parse((await callApi(test, headers, 'GET', moderationPaths.reports)).body).reports,
    audit: async () => AuditList.parse((await callApi(test, headers, 'GET', moderationPaths.audit)).body).entries,
    items: async (query: string): Promise<ModeratedItem[]> =>
      (await callApi(test, headers, 'GET', `${moderationPaths.items}?${query}`)).body.items,
    takeDown: (type: ModeratedItem['type'], id: string, reason?: string) =>
      post(moderationPaths.takeDown(type, id), reason),
    restore: (type: ModeratedItem['type'], id: string) => post(moderationPaths.restore(type, id)),
  };
}

/** Creates a user with a public release and a shared jkit. */
export async function publisherIn(test: TestApp, name = 'maker') {
  const headers = await test.bearer({ sub: `subject-of-${name}`, preferred_username: name });
  const client = releaseClient(test.app, headers);
  const project = await client.newProject('Weather');
  const version = await client.newVersion(project._id);
  await client.uploadPicture(project._id, { name: 'node.png', bytes: pngFile() }, { text: 'A node in a garden' });
  await client.setProjectPublic(project._id, true);
  await client.setVersionPublic(version._id, true);
  const content = '{"fields":["AT"]}';
  const { body } = await callApi(test, headers, 'POST', '/api/jkits', { name: 'Modem', content, shared: true });
  return { name, headers, client, project, version, jkit: body.data as { readonly _id: string } };
}

/** Reports an item without signing in. */
export function report(test: TestApp, body: object, remoteAddress = '192.0.2.1') {
  return test.app.inject({ method: 'POST', url: reportsPath, payload: body, remoteAddress });
}
