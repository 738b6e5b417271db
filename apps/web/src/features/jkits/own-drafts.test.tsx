/** Tests drafts of the user's own JKits while another tab deletes or changes them. */
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { testJkit } from './testing/jkit-server.ts';
import { clearLibrary, open, press, showLibrary } from './testing/library.tsx';

afterEach(clearLibrary);

const name = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' });

describe('jkits of one’s own', () => {
  it('keep an edit after another tab deleted them, so that it can be saved as a new one', async () => {
    const { server, jkits } = showLibrary((prepared) => {
      prepared.jkits = [testJkit(1), testJkit(2)];
    });
    await open();
    await press('jkit-1');
    await press('Update');
    await userEvent.clear(await name());
    await userEvent.type(await name(), 'mine');
    await userEvent.type(screen.getByRole('textbox', { name: 'Description' }), 'An hour of work');
    server.jkits = [testJkit(2)];
    server.failAt('PUT', { status: 404, message: 'This JKit does not exist, or it is private.' });
    await press('Update');
    const form = await screen.findByRole('form', { name: 'mine was deleted' });
    expect(within(form).getByRole<HTMLInputElement>('textbox', { name: 'Description' }).value).toBe('An hour of work');
    await press('Save', form);
    await screen.findByText('mine saved');
    expect(server.bodies).toContainEqual(
      expect.objectContaining({ name: 'mine', description: 'An hour of work', shared: false }),
    );
    expect(jkits.attach).toHaveBeenCalledWith('a', expect.objectContaining({ name: 'mine' }));
    await waitFor(() => expect(screen.queryByRole('form')).toBeNull());
  });

  it('are overwritten after a change in another tab only if the user confirms', async () => {
    const { server } = showLibrary((prepared) => {
      prepared.jkits = [testJkit(1)];
    });
    await open();
    await press('jkit-1');
    await press('Update');
    await userEvent.type(screen.getByRole('textbox', { name: 'Description' }), 'mine');
    const words = 'This JKit was changed in another tab or on another device while you were editing it.';
    server.failAt('PUT', { status: 409, message: words });
    await press('Update');
    await screen.findByText(`Update JKit failed: ${words}`);
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Description' }).value).toBe('mine');
    expect(server.bodies).toContainEqual(expect.objectContaining({ basedOn: '2025-11-12T12:00:00.000Z' }));
    server.failAt('PUT', null);
    await press('Update anyway');
    await screen.findByText('jkit-1 updated');
    expect(server.bodies.filter((body) => Object.hasOwn(Object(body), 'basedOn'))).toHaveLength(1);
    expect(server.jkits[0]?.description).toBe('mine');
  });
});
