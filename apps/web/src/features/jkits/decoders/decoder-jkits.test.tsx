/** Tests the JKit library on decoders of this browser, with a simulated server. */
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { allDecoders } from '@wirebench/contract/decoder-library';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionStore } from '../../../shared/session/page-session.ts';
import { testSession } from '../../../shared/session/testing.ts';
import { readHook } from '../../../shared/testing/stores.ts';
import { Toaster } from '../../../shared/ui/toaster.tsx';
import {
  keepDecoder,
  keptDecodersNow,
  removeKept,
  titleOf,
  useKeptDecoders,
} from '../../../workbench/decoders/kept-decoders.ts';
import '../library.tsx';
import { LibraryButton } from '../library-button.tsx';
import type { LinkedPanels } from '../open-linked.ts';
import { JkitServer, testJkit } from '../testing/jkit-server.ts';
import { clearLibrary, confirm, press } from '../testing/library.tsx';
import { useLinkedJkit } from '../use-linked-jkit.ts';
import { decoderJkits, decoderPanel, linkedDecoder } from './decoder-jkits.ts';

const server = { current: new JkitServer() };
const content = JSON.stringify(allDecoders.find(({ content: { name } }) => name === 'ubx')?.content);
const motor = JSON.stringify({ name: 'motor', title: 'Motor', framing: { kind: 'cobs' } });

beforeEach(() => {
  server.current = new JkitServer();
  vi.stubGlobal('fetch', server.current.fetch);
});

afterEach(() => {
  cleanup();
  clearLibrary();
  for (const { id } of keptDecodersNow()) {
    removeKept(id);
  }
});

const texts = () => keptDecodersNow().map(({ text }) => text);

describe('the library of decoders', () => {
  function Editor() {
    const [decoder] = useKeptDecoders();
    return decoder === undefined ? null : <LibraryButton panel={decoderPanel(decoder)} jkits={decoderJkits} />;
  }

  it('saves a decoder as a JKit, finds decoders only, and loads one with a way back', async () => {
    sessionStore.save(testSession({ expiresAt: Date.now() + 3_600_000 }));
    const shared = { shared: true, publisher: 'ada' };
    server.current.jkits = [testJkit(1, { ...shared, name: 'Receiver in the hall', type: 'decoder', content })];
    keepDecoder(motor);
    render(
      <>
        <Editor />
        <Toaster />
      </>,
    );
    await press('JKit library for Motor');
    const dialog = await screen.findByRole('dialog', { name: 'JKit library' });
    await press('Save this decoder', dialog);
    expect(within(dialog).getByText(/The decoder Motor\. Only you can see it/)).toBeTruthy();
    await userEvent.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'My motor');
    await press('Save', dialog);
    await screen.findByText('My motor saved');
    expect(server.current.bodies).toContainEqual(
      expect.objectContaining({ type: 'decoder', name: 'My motor', content: motor }),
    );
    expect(keptDecodersNow()[0]?.loadedJkit).toMatchObject({ name: 'My motor' });
    await userEvent.click(within(dialog).getByRole('tab', { name: 'Explore' }));
    await userEvent.type(within(dialog).getByRole('searchbox'), 'Receiver');
    await press('Receiver in the hall', dialog);
    expect(await within(dialog).findByText(/ubx, \d+ messages/)).toBeTruthy();
    expect(await within(dialog).findByRole('region', { name: 'Messages of UBX' })).toBeTruthy();
    await press('Load', dialog);
    await confirm('Load Receiver in the hall?', 'Load');
    await waitFor(() => expect(texts()).toEqual([content]));
    await press('Undo');
    expect(texts()).toEqual([motor]);
    const asked = server.current.calls.filter((call) => /jkits(\/search|\/starred)?\?/.test(call));
    expect(asked.every((call) => call.includes('type=decoder'))).toBe(true);
  });
});

describe('a link to a decoder', () => {
  const shown = vi.fn();
  const panels: LinkedPanels = {
    type: 'uart',
    load: vi.fn(),
    placeFor: () => null,
    show: vi.fn(),
    others: async () => [linkedDecoder(shown)],
  };

  function Page({ id }: { readonly id: string }) {
    useLinkedJkit(`?jkit=${id}`, panels);
    return <Toaster />;
  }

  it('keeps and shows it once, leaves panels and other decoders alone, and can be undone', async () => {
    const jkit = testJkit(7, { name: 'Theirs', type: 'decoder', content, shared: true, publisher: 'ada' });
    server.current.jkits = [jkit];
    keepDecoder(motor);
    const { unmount } = render(<Page id={jkit._id} />);
    await screen.findByText('Theirs loaded');
    const [own, theirs] = readHook(() => useKeptDecoders());
    expect([own?.text, theirs?.text]).toEqual([motor, content]);
    expect(titleOf(theirs?.text ?? '')).toBe('UBX');
    await waitFor(() => expect(shown).toHaveBeenLastCalledWith(theirs?.id));
    expect(panels.load).not.toHaveBeenCalled();
    expect(panels.show).not.toHaveBeenCalled();
    await press('Undo');
    expect(texts()).toEqual([motor]);
    unmount();
  });
});
