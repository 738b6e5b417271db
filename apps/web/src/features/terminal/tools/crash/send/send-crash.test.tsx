/** Tests sending a crash to the publisher with a simulated server. The code of the symbol thread reads the dump. */
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type Build, NewCrashReport, type Project, type Version } from '@wirebench/contract';
import { printed } from '@wirebench/symbols/testing';
import { wrapped } from '@wirebench/symbols/testing/wrapped-dump';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FaultyServer } from '../../../../../shared/api/testing.ts';
import { sessionStore } from '../../../../../shared/session/page-session.ts';
import { rememberRelease } from '../../../../../workbench/crash/flashed-releases.ts';
import { addCrashFile } from '../../../../../workbench/crash/symbol-files.ts';
import { chooseAction, crashedDump, openPanel, readInThisThread } from '../testing/crash-panel.tsx';

const shareId = 'AAAAAAAAAAAAAAAAAAAAAA';
const version: Version = {
  _id: '01978c00-0000-7000-8000-000000000001',
  shareId,
  version: '1.2.0',
  description: 'x',
  isPublic: true,
  createdAt: '2026-11-18T12:00:00.000Z',
  writeCount: 0,
  console: null,
  files: [],
};
const project: Project = {
  _id: '01978c00-0000-7000-8000-000000000002',
  shareId: 'BBBBBBBBBBBBBBBBBBBBBB',
  name: 'Blinker',
  description: '',
  deviceFamily: 'esp',
  deviceModel: 'esp32c3',
  publisher: 'mira.k',
  demo: false,
  isPublic: true,
  createdAt: '2026-11-18T12:00:00.000Z',
  updatedAt: '2026-11-18T12:00:00.000Z',
  versions: [
    version,
    { ...version, _id: '01978c00-0000-7000-8000-000000000003', shareId: 'C'.repeat(22), version: '1.1.0' },
  ],
};

/** Header of format 1.2 (ESP-IDF, `core_dump_header_t`): tasks, size of a TCB, segments, revision of the chip. */
const dumpOfC3 = wrapped(5, 0x102, [2, 356, 1, 4], crashedDump);

const c3Build = '01978c00-0000-7000-8000-0000000000c3';
const s3Build = '01978c00-0000-7000-8000-0000000000d3';

const testBuild = (id: string, deviceModel: Build['deviceModel'], guards: Build['guards'] = {}): Build => ({
  _id: id,
  deviceFamily: 'esp',
  deviceModel,
  guards,
  files: [],
  writeCount: 0,
});

class CrashServer extends FaultyServer {
  /** Builds of the version; undefined: a version of the simple form. */
  builds: readonly Build[] | undefined;

  protected override answer(call: string): Response {
    if (call.endsWith('/config.json')) {
      const oidc = { issuer: 'http://id', url: 'http://id', realm: 'r', clientId: 'c' };
      const limits = { projects: 5, versions: 3, jkits: 5, elfSize: 1 };
      return Response.json({ apiUrl: '', oidc, latestReleaseUrl: '/', limits });
    }
    if (call === `GET /api/firmware/shared/version/${shareId}`) {
      return Response.json({ project, version: { ...version, builds: this.builds } });
    }
    if (call === `GET /api/firmware/shared/project/${project.shareId}`) {
      return Response.json({ project });
    }
    if (call === `GET /api/firmware/shared/project/${project.shareId}?channel=beta`) {
      const beta: Version = { ...version, shareId: 'D'.repeat(22), version: '2.0.0-rc1', channel: 'beta' };
      return Response.json({ project: { ...project, versions: [beta, ...project.versions] } });
    }
    if (call.startsWith('POST')) {
      return new Response(null, { status: 204 });
    }
    const message = 'There is nothing at this address.';
    return Response.json({ error: message, message, code: 'not-found' }, { status: 404 });
  }
}

let server: CrashServer;

beforeEach(() => {
  readInThisThread();
  server = new CrashServer();
  vi.stubGlobal('fetch', server.fetch);
  sessionStore.forget();
  localStorage.clear();
});

afterEach(async () => {
  for (let button = remove(); button !== null; button = remove()) {
    await userEvent.click(button);
  }
  cleanup();
  vi.unstubAllGlobals();
});

const remove = () => screen.queryByRole('button', { name: 'Remove this crash' });

const sentBodies = () =>
  server.bodies.filter((_, index) => server.calls[index]?.startsWith('POST /api/firmware/shared/version/'));

async function openSender(dump = crashedDump) {
  await openPanel(new File([printed(dump)], 'monitor.log'));
  await screen.findByRole('article', { name: 'Core dump' });
  await chooseAction('Send to the publisher');
  return screen.findByRole('dialog', { name: 'Send this crash to the publisher' });
}

const typeLink = async (dialog: HTMLElement, link: string) => {
  const field = within(dialog).getByRole('textbox', { name: 'Release link' });
  await userEvent.clear(field);
  await userEvent.paste(link);
};

const link = `https://bench.example/release.html?type=version&id=${shareId}`;

describe('a crash', () => {
  it('is sent as shown, without memory and without a sign-in', async () => {
    const dialog = await openSender();
    const send = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Send' });
    expect(send.disabled).toBe(true);
    await userEvent.click(within(dialog).getByRole('textbox', { name: 'Release link' }));
    await typeLink(dialog, link);
    const preview = await within(dialog).findByRole('region', { name: 'What is sent' });
    expect(preview.textContent).toContain('mira.k, who published Blinker 1.2.0');
    expect(preview.textContent).toContain('The board crashed in the task at 0x3FC91000');
    expect(preview.textContent).toContain('ELF file 5f1c7a90b');
    expect(preview.textContent).toContain('Memorynot sent');
    expect(preview.textContent).toContain('#0  0x42008A3C');
    await userEvent.click(send);
    await screen.findByText('Crash sent.');
    const [body] = sentBodies();
    const sent = NewCrashReport.parse(body);
    expect(sent).toMatchObject({
      memory: null,
      build: '5f1c7a90b',
      cause: 'The board crashed in the task at 0x3FC91000',
    });
    expect(preview.textContent).toContain(sent.id);
    expect(preview.textContent).toContain(sent.fingerprint);
  });

  it('is not sent twice to the same version, not after the page was loaded again either', async () => {
    const dialog = await openSender();
    await userEvent.click(within(dialog).getByRole('textbox', { name: 'Release link' }));
    await typeLink(dialog, link);
    await userEvent.click(await within(dialog).findByRole('button', { name: 'Send' }));
    await screen.findByText('Crash sent.');
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    // Adds the same dump again under another name.
    await addCrashFile(new File([printed(crashedDump)], 'monitor-2.log'));
    await chooseAction('Send to the publisher');
    const again = await screen.findByRole('dialog', { name: 'Send this crash to the publisher' });
    await userEvent.click(within(again).getByRole('textbox', { name: 'Release link' }));
    await typeLink(again, link);
    expect(await within(again).findByText('You have sent this crash already.')).toBeTruthy();
    expect(within(again).getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true);
    expect(sentBodies()).toHaveLength(1);
  });

  it('includes its core dump only if that is ticked', async () => {
    const dialog = await openSender();
    await userEvent.click(within(dialog).getByRole('textbox', { name: 'Release link' }));
    await typeLink(dialog, link);
    const tick = await within(dialog).findByRole<HTMLInputElement>('checkbox', { name: /Send the core dump along/ });
    expect(tick.checked).toBe(false);
    await userEvent.click(tick);
    expect(within(dialog).getByRole('region', { name: 'What is sent' }).textContent).toContain('Memorythe core dump, ');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Send' }));
    await screen.findByText('Crash sent.');
    const { memory } = NewCrashReport.parse(sentBodies()[0]);
    expect(Uint8Array.from(atob(memory ?? ''), (letter) => letter.charCodeAt(0))).toEqual(crashedDump);
  });

  it('reports a missing answer, and has the same id when it is sent again', async () => {
    const dialog = await openSender();
    await userEvent.click(within(dialog).getByRole('textbox', { name: 'Release link' }));
    await typeLink(dialog, link);
    const post = `POST /api/firmware/shared/version/${shareId}/crashes`;
    server.failAt(post, { status: 429, message: 'Too many requests. Please wait a moment and try again.' });
    await userEvent.click(await within(dialog).findByRole('button', { name: 'Send' }));
    await screen.findByText('The crash was not sent.');
    expect(dialog.textContent).toContain('Too many requests. Please wait a moment and try again.');
    server.failAt(post, null);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Send' }));
    await screen.findByText('Crash sent.');
    const ids = sentBodies().map((body) => NewCrashReport.parse(body).id);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it('needs no link if this browser has flashed the release', async () => {
    rememberRelease({
      shareId,
      name: 'Blinker',
      version: '1.2.0',
      publisher: 'mira.k',
      at: '2026-11-20T12:00:00.000Z',
    });
    const dialog = await openSender();
    const choice = await within(dialog).findByRole<HTMLSelectElement>('combobox', { name: 'Firmware of the board' });
    expect(choice.selectedOptions[0]?.textContent).toBe('Blinker 1.2.0 of mira.k, flashed 20 Nov 2026');
    await userEvent.click(await within(dialog).findByRole('button', { name: 'Send' }));
    await screen.findByText('Crash sent.');
    expect(server.calls).toContain(`POST /api/firmware/shared/version/${shareId}/crashes`);
  });

  it('names the build with which this browser flashed a board of the same chip', async () => {
    const flashed = { shareId, name: 'Blinker', version: '1.2.0', publisher: 'mira.k' };
    rememberRelease({
      ...flashed,
      at: '2026-11-20T12:00:00.000Z',
      build: { id: c3Build, deviceModel: 'esp32c3', name: 'ESP32-C3' },
    });
    rememberRelease({
      ...flashed,
      at: '2026-11-21T12:00:00.000Z',
      build: { id: s3Build, deviceModel: 'esp32s3', name: 'ESP32-S3' },
    });
    const dialog = await openSender(dumpOfC3);
    const choice = await within(dialog).findByRole<HTMLSelectElement>('combobox', { name: 'Firmware of the board' });
    expect([...choice.options].map(({ text }) => text)).toEqual([
      'Blinker 1.2.0 of mira.k for ESP32-C3, flashed 20 Nov 2026',
      'Another release, by its link',
    ]);
    const preview = await within(dialog).findByRole('region', { name: 'What is sent' });
    expect(preview.textContent).toContain('Buildthe one for ESP32-C3');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Send' }));
    await screen.findByText('Crash sent.');
    expect(NewCrashReport.parse(sentBodies()[0]).buildId).toBe(c3Build);
  });

  it.each([
    ['the only build for the chip', testBuild(s3Build, 'esp32s3'), c3Build],
    ['no build when two are for the chip', testBuild(s3Build, 'esp32c3', { psram: true }), undefined],
  ])('names %s if the release is chosen by link', async (_what, other, named) => {
    server.builds = [testBuild(c3Build, 'esp32c3'), other];
    const dialog = await openSender(dumpOfC3);
    await userEvent.click(within(dialog).getByRole('textbox', { name: 'Release link' }));
    await typeLink(dialog, link);
    await userEvent.click(await within(dialog).findByRole('button', { name: 'Send' }));
    await screen.findByText('Crash sent.');
    expect(NewCrashReport.parse(sentBodies()[0]).buildId).toBe(named);
  });

  it('goes to the version that the user chooses for a project link', async () => {
    const dialog = await openSender();
    await userEvent.click(within(dialog).getByRole('textbox', { name: 'Release link' }));
    await typeLink(dialog, `/release.html?type=project&id=${project.shareId}`);
    const choice = await within(dialog).findByRole('combobox', { name: 'Version of the board' });
    await userEvent.selectOptions(choice, '1.1.0');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Send' }));
    await screen.findByText('Crash sent.');
    expect(server.calls).toContain(`POST /api/firmware/shared/version/${'C'.repeat(22)}/crashes`);
  });

  it('goes to the newest of both channels for a project link with beta versions', async () => {
    const dialog = await openSender();
    await userEvent.click(within(dialog).getByRole('textbox', { name: 'Release link' }));
    await typeLink(dialog, `/release.html?type=project&id=${project.shareId}&channel=beta`);
    await userEvent.click(await within(dialog).findByRole('button', { name: 'Send' }));
    await screen.findByText('Crash sent.');
    expect(server.calls).toContain(`POST /api/firmware/shared/version/${'D'.repeat(22)}/crashes`);
  });

  it.each([
    ['is no link of a release', 'https://example.org/', 'This is not a release link.'],
    ['leads nowhere', '?type=version&id=ZZZZZZZZZZZZZZZZZZZZZZ', 'No public release has this link.'],
  ])('is not sent if its link %s', async (_what, text, sentence) => {
    const dialog = await openSender();
    await userEvent.click(within(dialog).getByRole('textbox', { name: 'Release link' }));
    await typeLink(dialog, text);
    expect(await within(dialog).findByText(sentence, { exact: false })).toBeTruthy();
    expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true);
    await waitFor(() => expect(within(dialog).queryByRole('region', { name: 'What is sent' })).toBeNull());
  });
});
