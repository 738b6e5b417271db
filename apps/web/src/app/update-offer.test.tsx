import { act, cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leaveWarning } from './leave-warning.ts';
import { newVersionStore } from './newer-version.ts';
import { UpdateOffer } from './update-offer.tsx';

const reload = () => screen.queryByRole('button', { name: 'Reload' });

describe('the offer of a newer version', () => {
  beforeEach(() => {
    newVersionStore.setState({ state: 'none' });
    leaveWarning.setState({ warns: false });
  });
  afterEach(cleanup);

  it('is there when there is one, and goes for now when told so', async () => {
    render(<UpdateOffer />);
    expect(reload()).toBeNull();
    act(() => newVersionStore.setState({ state: 'ready' }));
    expect(reload()).not.toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Later' }));
    expect(reload()).toBeNull();
  });

  it('waits while a port is open or a board is written', () => {
    newVersionStore.setState({ state: 'ready' });
    leaveWarning.setState({ warns: true });
    render(<UpdateOffer />);
    expect(reload()).toBeNull();
    act(() => leaveWarning.setState({ warns: false }));
    expect(reload()).not.toBeNull();
  });
});
