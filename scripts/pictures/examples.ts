/**
 * Example content: a public project with two versions and two feedback messages, all from the demo account
 * "tinkerer".
 */
import type { APIRequestContext, Browser } from '@playwright/test';
import { apiPaths, firmwarePaths, formatOffset, ProjectAnswer, VersionAnswer } from '@wirebench/contract';
import { buildOffsets, buildOutput } from './build-output.ts';
import { signIn } from './sign-in.ts';

/** Account that owns the project. */
export const exampleOwner = 'tinkerer';
export const exampleProject = 'weather-node';

const versions = [
  { version: '1.3.2', description: 'First build for the outdoor case.' },
  {
    version: '1.4.0',
    description: 'Fixes the **I2C timeout** after deep sleep. Settings in NVS are kept.',
  },
];

const feedback = [
  'The plot could remember its zoom when I switch ports.',
  'Flashing twelve boards in a row took five minutes. Thank you.',
];

/**
 * Creates the example content on the server.
 *
 * @returns Share ID of the project.
 */
export async function makeExamples(browser: Browser, address: string): Promise<string> {
  const context = await browser.newContext({ baseURL: address, serviceWorkers: 'block' });
  try {
    // All pictures wait for this step, so it needs time on a busy machine.
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    await page.goto('/');
    await signIn(page, exampleOwner);
    const session = await page.evaluate(() => localStorage.getItem('wirebench.session'));
    const { accessToken } = JSON.parse(session ?? '{}') as { accessToken?: string };
    const headers = { authorization: `Bearer ${accessToken}` };
    const post = async (path: string, body: Parameters<APIRequestContext['post']>[1]) =>
      (await page.request.post(path, { ...body, headers, failOnStatusCode: true })).json();
    const { project } = ProjectAnswer.parse(
      await post(firmwarePaths.newProject, {
        data: {
          name: exampleProject,
          description: 'Outdoor sensor node: BME280 over I2C, MQTT to the gateway, deep sleep between samples.',
          deviceFamily: 'esp',
          deviceModel: 'esp32',
        },
      }),
    );
    await post(firmwarePaths.projectSharing(project._id), { data: { isPublic: true } });
    for (const text of versions) {
      const { version } = VersionAnswer.parse(
        await post(firmwarePaths.newVersion, { multipart: versionForm(project._id, text) }),
      );
      await post(firmwarePaths.versionSharing(version._id), { data: { isPublic: true } });
    }
    for (const message of feedback) {
      await post(apiPaths.feedback, { data: { email: 'tinkerer@wirebench.example', message } });
    }
    const { shareId } = (await post(firmwarePaths.projectShare(project._id), {})) as { shareId: string };
    return shareId;
  } finally {
    await context.close();
  }
}

function versionForm(projectId: string, { version, description }: (typeof versions)[number]): FormData {
  const form = new FormData();
  form.set('projectId', projectId);
  form.set('version', version);
  form.set('description', description);
  form.set('offsets', JSON.stringify(buildOffsets.map(formatOffset)));
  for (const { name, buffer, mimeType } of buildOutput) {
    form.append('files', new File([Uint8Array.from(buffer)], name, { type: mimeType }));
  }
  return form;
}
