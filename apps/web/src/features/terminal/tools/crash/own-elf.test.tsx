/** Tests that a core dump finds the ELF file in the user's own releases. */
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { appInfo, coreElf, extraInfo, printed, words, xtensaStatus } from '@wirebench/symbols/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FaultyServer } from '../../../../shared/api/testing.ts';
import { sessionStore } from '../../../../shared/session/page-session.ts';
import { testSession } from '../../../../shared/session/testing.ts';
import { openPanel, readInThisThread } from './testing/crash-panel.tsx';

/** Without debug information. The use of the file is tested end to end (`e2e/tests/crash-reports.spec.ts`). */
const elf = coreElf({ machine: 94, type: 2, notes: [], memory: [] });
const sha256 = '5f1c7a90b'.padEnd(64, '0');
const versionId = '01978c00-0000-7000-8000-000000000001';

/** Takes a different build for each test, because a failed search is not repeated until the page is reloaded. */
const dumpOf = (build: string) =>
  coreElf({
    machine: 94,
    notes: [
      xtensaStatus(0x3ffa_fba0, 0x4020_000c, 0x60020, [0, 0x3ffb_4ec0, 7, 8]),
      appInfo(0x102, build),
      extraInfo(0x3ffa_fba0, 232, 29, 238, 0),
    ],
    memory: [{ address: 0x3ffb_4eb0, bytes: words(0, 0, 0, 0) }],
  });

class OwnServer extends FaultyServer {
  protected override answer(call: string): Response {
    if (call.endsWith('/config.json')) {
      const oidc = { issuer: 'http://id', url: 'http://id', realm: 'r', clientId: 'c' };
      const limits = { projects: 5, versions: 3, jkits: 5, elfSize: 1 };
      return Response.json({ apiUrl: '', oidc, latestReleaseUrl: '/', limits });
    }
    const asked = /\/elf\?sha256=(\w+)$/.exec(call)?.[1];
    if (asked !== undefined && sha256.startsWith(asked)) {
      const found = { versionId, project: 'Blinker', version: '1.2.0', fileName: 'b.elf', size: elf.length, sha256 };
      return Response.json({ elf: found });
    }
    if (asked !== undefined) {
      return Response.json({ elf: null });
    }
    if (call === `GET /api/firmware/version/${versionId}/elf`) {
      return new Response(new Uint8Array(elf));
    }
    const message = 'There is nothing at this address.';
    return Response.json({ error: message, message, code: 'not-found' }, { status: 404 });
  }
}

let server: OwnServer;

beforeEach(() => {
  readInThisThread();
  server = new OwnServer();
  vi.stubGlobal('fetch', server.fetch);
});

afterEach(async () => {
  // ELF files first: without a crash they are not listed here.
  for (const name of [/^Remove ELF/, 'Remove this crash']) {
    for (const button of screen.queryAllByRole('button', { name })) {
      await userEvent.click(button);
    }
  }
  cleanup();
  sessionStore.forget();
  vi.unstubAllGlobals();
});

const signIn = () => sessionStore.save(testSession({ expiresAt: Date.now() + 3_600_000 }));
const open = (build: string) => openPanel(new File([printed(dumpOf(build))], 'monitor.log'));
const asked = () => server.calls.filter((call) => call.includes('/elf'));

it('the owner’s ELF file is fetched automatically and labelled with its release', async () => {
  signIn();
  await open(sha256.slice(0, 9));
  const files = await screen.findByRole('list', { name: 'ELF files' });
  expect(within(files).getByText('ELF of Blinker 1.2.0, from your releases')).toBeTruthy();
  expect(asked()).toEqual(['GET /api/firmware/elf?sha256=5f1c7a90b', `GET /api/firmware/version/${versionId}/elf`]);
});

it.each([
  ['is not asked for by fewer digits than the server takes', 'abcdef1', 0],
  ['is asked for once, and answered without an error, when no release has it', 'abcdef123', 1],
])('the owner’s ELF file %s', async (_what, build, calls) => {
  signIn();
  await open(build);
  await screen.findByRole('article', { name: 'Core dump' });
  await waitFor(() => expect(asked()).toHaveLength(calls));
  expect(screen.queryByRole('alert')).toBeNull();
});

it('the ELF file is not requested without a sign-in', async () => {
  sessionStore.forget();
  await open(sha256.slice(0, 10));
  const view = await screen.findByRole('article', { name: 'Core dump' });
  await within(view).findByText(/Drop the ELF file whose SHA-256 begins with/);
  expect(asked()).toEqual([]);
});

it('an unknown ELF file is requested once without a message', async () => {
  signIn();
  await open('0123456789');
  const view = await screen.findByRole('article', { name: 'Core dump' });
  await within(view).findByText(/Drop the ELF file whose SHA-256 begins with 0123456789/);
  await waitFor(() => expect(asked()).toEqual(['GET /api/firmware/elf?sha256=0123456789']));
  expect(view.textContent).not.toContain('from your releases');
});

it('a failed fetch of the ELF file shows its reason and can be retried', async () => {
  signIn();
  const path = `GET /api/firmware/version/${versionId}/elf`;
  server.failAt(path, { status: 503, message: 'The file store is not responding. Please try again in a moment.' });
  await open(sha256.slice(0, 12));
  expect(
    await screen.findByText(/could not be fetched from your releases: The file store is not responding/),
  ).toBeTruthy();
  server.failAt(path, null);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  const files = await screen.findByRole('list', { name: 'ELF files' });
  expect(within(files).getByText('ELF of Blinker 1.2.0, from your releases')).toBeTruthy();
});
