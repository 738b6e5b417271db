import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toasts } from '../../../shared/testing/toasts.ts';
import { changeTerminalSession } from '../terminal-session.ts';
import { useFunctionKeys } from './function-keys.ts';
import { MessageList } from './message-list.tsx';
import { usePanels } from './store/panels-store.ts';
import { ascii, call, onePanel, sent, setPortState } from './testing/panel-rig.ts';

function Panel() {
  useFunctionKeys();
  const panel = usePanels(([first]) => first);
  return panel === undefined ? null : (
    <>
      <input aria-label="Message" />
      <div role="dialog">
        <input aria-label="In a dialog" />
      </div>
      <MessageList panel={panel} readOnly={false} dropAt={null} />
    </>
  );
}

describe('function keys', () => {
  beforeEach(() => {
    onePanel({ ...ascii('wifi status'), label: 'Wi-Fi status' }, ...'bcdefgh'.split('').map(ascii));
    changeTerminalSession({ selectedPort: 1 });
    render(<Panel />);
  });
  afterEach(cleanup);

  it('send the messages of the panel of the selected port, in their order', async () => {
    await userEvent.keyboard('{F1}{F2}{F3}{F4}{F8}{F9}{F10}');
    expect(sent().map(([, text]) => text)).toEqual(['wifi status\n', ...'bcdefg'.split('').map((text) => `${text}\n`)]);
  });

  it('send while a person types in a field, and not in a dialog', async () => {
    await userEvent.type(screen.getByRole('textbox', { name: 'In a dialog' }), '{F2}');
    expect(sent()).toEqual([]);
    await userEvent.type(screen.getByRole('textbox', { name: 'Message' }), '{F2}');
    expect(sent()).toEqual([[1, 'b\n']]);
  });

  it.each(['F5', 'F6', 'F7', 'F11', 'F12'])('leave %s to the browser', async (key) => {
    await userEvent.keyboard(`{${key}}`);
    expect(call).not.toHaveBeenCalled();
  });

  it('do nothing without a panel of the selected port, and with a modifier', async () => {
    await userEvent.keyboard('{Control>}{F1}{/Control}');
    changeTerminalSession({ selectedPort: 2 });
    await userEvent.keyboard('{F1}');
    expect(sent()).toEqual([]);
  });

  it('say why a port that closes gets nothing', async () => {
    setPortState(1, 'disconnecting');
    await userEvent.keyboard('{F1}');
    expect(sent()).toEqual([]);
    expect(toasts().current?.text).toBe('Cannot send data - Port 1 is disconnecting');
  });

  it('are shown on the rows of that panel, beside the label of the message', () => {
    expect(screen.getByRole('button', { name: /^Send\s*Wi-Fi status\s*wifi status$/ })).toBeDefined();
    const keys = screen.getAllByRole('listitem').map((row) => row.querySelector('kbd')?.textContent ?? null);
    expect(keys).toEqual(['F1', 'F2', 'F3', 'F4', 'F8', 'F9', 'F10', null]);
  });
});
