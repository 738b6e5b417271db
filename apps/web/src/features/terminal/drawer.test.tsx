import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Drawer } from './drawer.tsx';

afterEach(cleanup);

describe('Escape', () => {
  it.each([
    ['a control of the drawer has the focus', true, () => screen.getByRole('button', { name: 'Inside' })],
    ['no element has the focus, because its control was replaced', true, () => document.body],
    ['a field beside the drawer has the focus', false, () => screen.getByRole('textbox')],
  ] as const)('while %s: closes is %s', (_name, closes, target) => {
    const close = vi.fn();
    render(
      <>
        <input aria-label="Message" />
        <Drawer label="Port 1 settings" place="settings" onClose={close}>
          <button type="button">Inside</button>
        </Drawer>
      </>,
    );
    fireEvent.keyDown(target(), { key: 'Escape' });
    expect(close).toHaveBeenCalledTimes(closes ? 1 : 0);
  });
});
