/** Creates releases through the API, for tests of the pages that show them. */
import type { APIRequestContext, Locator, Page } from '@playwright/test';
import {
  firmwarePaths,
  formatOffset,
  type Project,
  ProjectAnswer,
  type Version,
  VersionAnswer,
} from '@wirebench/contract';
import { expect } from '../support/test.ts';
import { choose } from './menu-steps.ts';
import { bearer } from './sign-in-steps.ts';

interface ReleaseFile {
  readonly name: string;
  /** Offset in flash, in bytes. */
  readonly offset: number;
  readonly bytes: Buffer;
}

/** A build without guards. */
interface ReleaseBuild {
  readonly deviceModel: string;
  readonly files: readonly ReleaseFile[];
}

type Device = Pick<Project, 'deviceFamily' | 'deviceModel'>;

export interface Owner {
  /**
   * Creates a project.
   *
   * @param device Defaults to an ESP32.
   */
  newProject(name: string, device?: Device): Promise<Project>;
  /**
   * Creates a version.
   *
   * @param files Defaults to one small file.
   */
  newVersion(project: Project, number: string, files?: readonly ReleaseFile[]): Promise<Version>;
  /** Creates a version with builds. Each file belongs to one build. */
  newBuilds(project: Project, number: string, builds: readonly ReleaseBuild[]): Promise<Version>;
  setPublic(item: Project | Version, isPublic: boolean): Promise<void>;
  remove(item: Project | Version): Promise<void>;
}

const smallFile = (number: string): ReleaseFile => ({
  name: 'app.bin',
  offset: 0x10000,
  bytes: Buffer.from(`bytes of ${number}`),
});

const isProject = (item: Project | Version): item is Project => 'versions' in item;

/** Returns the signed-in account of `page`, with the API calls of the release manager. */
export async function ownerOn(page: Page): Promise<Owner> {
  const headers = await bearer(page);
  const { request }: { request: APIRequestContext } = page;
  const sent = async (answer: ReturnType<APIRequestContext['post']>, status: number): Promise<unknown> => {
    const response = await answer;
    expect(response.status(), await response.text()).toBe(status);
    return status === 204 ? null : response.json();
  };
  return {
    async newProject(name, device = { deviceFamily: 'esp', deviceModel: 'esp32' }) {
      const data = { name, description: 'Outdoor sensor node.', ...device };
      return ProjectAnswer.parse(await sent(request.post(firmwarePaths.newProject, { headers, data }), 201)).project;
    },
    async newVersion({ _id }, number, files = [smallFile(number)]) {
      const multipart = new FormData();
      multipart.set('projectId', _id);
      multipart.set('version', number);
      multipart.set('description', `Notes of **${number}**.`);
      multipart.set('offsets', JSON.stringify(files.map(({ offset }) => formatOffset(offset))));
      for (const { name, bytes } of files) {
        multipart.append('files', new File([Uint8Array.from(bytes)], name, { type: 'application/octet-stream' }));
      }
      return VersionAnswer.parse(await sent(request.post(firmwarePaths.newVersion, { headers, multipart }), 201))
        .version;
    },
    async newBuilds({ _id }, number, builds) {
      const multipart = new FormData();
      multipart.set('projectId', _id);
      multipart.set('version', number);
      multipart.set('description', `Notes of **${number}**.`);
      let index = 0;
      const listed = builds.map(({ deviceModel, files }) => ({
        deviceModel,
        files: files.map(({ offset }) => ({ index: index++, offset: formatOffset(offset) })),
      }));
      multipart.set('builds', JSON.stringify(listed));
      for (const { name, bytes } of builds.flatMap(({ files }) => files)) {
        multipart.append('files', new File([Uint8Array.from(bytes)], name, { type: 'application/octet-stream' }));
      }
      return VersionAnswer.parse(await sent(request.post(firmwarePaths.newVersion, { headers, multipart }), 201))
        .version;
    },
    async setPublic(item, isPublic) {
      const path = isProject(item) ? firmwarePaths.projectSharing(item._id) : firmwarePaths.versionSharing(item._id);
      await sent(request.post(path, { headers, data: { isPublic } }), 200);
    },
    async remove(item) {
      const path = isProject(item) ? firmwarePaths.project(item._id) : firmwarePaths.version(item._id);
      await sent(request.delete(path, { headers }), 204);
    },
  };
}

/**
 * Opens a project in the release manager and returns its region. The newest project is already open. Tests that run
 * beside this one create and remove projects in the same account, which moves the row while it is clicked.
 */
export async function openProject(page: Page, name: string): Promise<Locator> {
  const own = page.getByRole('region', { name, exact: true });
  const toggle = own.getByRole('button', { name, exact: true });
  await expect(toggle).toBeVisible();
  await expect(async () => {
    if ((await toggle.getAttribute('aria-expanded')) !== 'true') {
      await toggle.click();
    }
    await expect(toggle).toHaveAttribute('aria-expanded', 'true', { timeout: 2_000 });
  }).toPass();
  return own;
}

/**
 * Chooses an item of the menu of a project or a version in the release manager: `weather-node`, `version 1.4.0`.
 *
 * @param own The project's region: tests that run beside this one have versions of the same number in this account.
 */
export async function chooseOf(own: Locator, what: string, item: string): Promise<void> {
  await choose(own.getByRole('button', { name: `More about ${what}`, exact: true }), item);
}
