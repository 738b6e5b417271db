import { act, cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resetStores } from '../shared/testing/stores.ts';
import { type OpenPorts, warnBeforeLeaving } from './leave-warning.ts';
import { offerNewVersion } from './newer-version.ts';
import { UpdateOffer } from './update-offer.tsx';

const reload = () => screen.queryByRole('button', { name: 'Reload' });

describe('the offer of a newer version', () => {
  beforeEach(() => {
    resetStores();
  });
  afterEach(cleanup);

  it('is there when there is one, and goes for now when told so', async () => {
    render(<UpdateOffer />);
    expect(reload()).toBeNull();
    act(() => offerNewVersion(() => undefined));
    expect(reload()).not.toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Later' }));
    expect(reload()).toBeNull();
  });

  it('waits while a port is open or a board is written', () => {
    offerNewVersion(() => undefined);
    let open = 1;
    const listeners: (() => void)[] = [];
    const ports: OpenPorts = {
      count: () => open,
      subscribe: (listener) => {
        listeners.push(listener);
        return () => undefined;
      },
    };
    warnBeforeLeaving(ports);
    render(<UpdateOffer />);
    expect(reload()).toBeNull();
    open = 0;
    act(() => {
      for (const listener of listeners) {
        listener();
      }
    });
    expect(reload()).not.toBeNull();
  });
});
