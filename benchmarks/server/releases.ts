/** Creates releases on a server through the same API as a person. */
import { randomBytes } from 'node:crypto';
import { firmwarePaths, sharedFirmwarePaths } from '@wirebench/contract';
import { signIn } from '@wirebench/server/testing/sign-in.ts';

export interface Maker {
  readonly address: string;
  readonly token: string;
}

export async function signInAsMaker(address: string): Promise<Maker> {
  return { address, token: (await signIn(address, 'maker')).access_token };
}

/**
 * Calls the API and returns the answer's body.
 *
 * @throws Error for a refusal.
 */
export async function call({ address, token }: Maker, path: string, options: RequestInit = {}): Promise<unknown> {
  const headers = { ...Object.fromEntries(new Headers(options.headers)), authorization: `Bearer ${token}` };
  const answer = await fetch(`${address}${path}`, { ...options, headers });
  if (!answer.ok) {
    throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  }
  return answer.status === 204 ? null : answer.json();
}

export function postJson(maker: Maker, path: string, body: object): Promise<unknown> {
  return call(maker, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

export async function createProject(maker: Maker, name: string): Promise<string> {
  const body = { name, description: 'Measured', deviceFamily: 'esp', deviceModel: 'esp32' };
  return ((await postJson(maker, firmwarePaths.newProject, body)) as { project: { _id: string } }).project._id;
}

/**
 * Publishes a version with a typical set of files.
 *
 * @returns Public address of the version.
 */
export async function publishRelease(address: string): Promise<string> {
  const maker = await signInAsMaker(address);
  const projectId = await createProject(maker, 'Read by many');
  await postJson(maker, firmwarePaths.projectSharing(projectId), { isPublic: true });
  const form = new FormData();
  form.set('projectId', projectId);
  form.set('version', '1.0.0');
  form.set('description', 'First release: everything works, and the display is quicker.');
  form.set('offsets', JSON.stringify(['0x1000', '0x8000', '0x10000']));
  for (const [name, size] of [
    ['bootloader', 18_000],
    ['partition-table', 3_072],
    ['app', 180_000],
  ] as const) {
    const bytes = new Uint8Array(randomBytes(size));
    // Prevents the bytes from starting like an image, which the server would parse and refuse.
    bytes[0] = 0x01;
    form.append('files', new Blob([bytes]), `${name}.bin`);
  }
  const { version } = (await call(maker, firmwarePaths.newVersion, { method: 'POST', body: form })) as {
    version: { _id: string };
  };
  await postJson(maker, firmwarePaths.versionSharing(version._id), { isPublic: true });
  const { shareId } = (await postJson(maker, firmwarePaths.versionShare(version._id), {})) as { shareId: string };
  return sharedFirmwarePaths.item('version', shareId);
}
