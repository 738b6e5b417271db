import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { type JkitServer, testJkit } from './testing/jkit-server.ts';
import { clearLibrary, confirm, open, press, showLibrary } from './testing/library.tsx';

afterEach(clearLibrary);

const others = (number: number, name: string) => testJkit(number, { name, publisher: 'gnss-hut', shared: true });
const field = () => screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search shared JKits' });
const searches = ({ calls }: JkitServer) => calls.filter((call) => call.startsWith('GET /api/jkits/search'));

async function search(text: string): Promise<void> {
  // Pasted at once, so that even a slow machine sends one query and not one per keystroke.
  await userEvent.click(await field());
  await userEvent.paste(text);
}

describe('exploring', () => {
  it('suggests queries, searches for the one that is chosen, and clears the results with the query', async () => {
    const { server } = showLibrary((prepared) => {
      prepared.jkits = [others(1, 'GRBL laser'), others(2, 'Marlin')];
    });
    await open('Explore');
    await press('GRBL');
    await screen.findByRole('button', { name: 'GRBL laser' });
    expect(screen.queryByRole('button', { name: 'Marlin' })).toBeNull();
    await userEvent.clear(await field());
    expect(screen.queryByRole('button', { name: 'GRBL laser' })).toBeNull();
    expect(screen.getByRole('group', { name: 'Suggested searches' })).toBeDefined();
    expect(searches(server)).toEqual(['GET /api/jkits/search?q=GRBL&type=uart&shared=true&limit=20&skip=0']);
  });

  it('searches once the typing rests, and aborts what is no longer wanted', async () => {
    const { server } = showLibrary((prepared) => {
      prepared.jkits = [others(1, 'modem')];
      prepared.failAt('GET /api/jkits/search?q=mo&', 'silent');
    });
    await open('Explore');
    await search('mo');
    await waitFor(() => expect(searches(server)).toHaveLength(1));
    await search('dem');
    await screen.findByRole('button', { name: 'modem' });
    expect(searches(server).map((call) => /q=(\w+)/.exec(call)?.[1])).toEqual(['mo', 'modem']);
    expect(server.aborted).toEqual([expect.stringContaining('q=mo&')]);
  });

  it('says that nothing was found, and why a search failed', async () => {
    const { server } = showLibrary();
    await open('Explore');
    await search('xyz');
    await screen.findByText('No shared JKit matches “xyz”. Search for a part of its name, a tag or its publisher.');
    server.failAt('GET /api/jkits/search', 'offline');
    await search('w');
    await screen.findByText('Search JKits failed: Network error: No response from server');
    server.jkits = [others(1, 'xyzw')];
    server.failAt('GET /api/jkits/search', null);
    await press('Try again');
    await screen.findByRole('button', { name: 'xyzw' });
  });

  it('shows more, page by page', async () => {
    const { server } = showLibrary((prepared) => {
      prepared.jkits = [1, 2, 3].map((number) => others(number, `modem ${number}`));
      prepared.pageSize = 2;
    });
    await open('Explore');
    await search('modem');
    await press('Show more');
    await screen.findByRole('button', { name: 'modem 3' });
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
    expect(searches(server).at(-1)).toContain('skip=2');
  });

  it('shows rating, publisher and tags; cuts a description at 80 characters and expands it with the messages', async () => {
    const description = `${'x'.repeat(80)} and the rest`;
    const content = JSON.stringify({
      fields: [
        '$PUBX,00*33',
        { content: 'AT', expect: 'OK', delayMs: 500, repeat: 3 },
        { content: '41 54', type: 'hex' },
      ],
    });
    showLibrary((server) => {
      server.jkits = [{ ...others(1, 'modem'), description, content, tags: ['GNSS'], rating: 4.56, ratingCount: 12 }];
    });
    await open('Explore');
    await search('modem');
    const row = await screen.findByRole('button', { name: 'modem' });
    const item = row.closest('li') as HTMLElement;
    expect(item.textContent).toContain('v1.0.0 by gnss-hut. 3 messages, 1 hex');
    expect(within(item).getByText('Rated 4.6 out of 5, 12 ratings')).toBeDefined();
    expect(within(item).getByRole('list', { name: 'Tags of modem' }).textContent).toBe('GNSS');
    expect(within(item).getByText(`${'x'.repeat(80)}…`)).toBeDefined();
    await userEvent.click(row);
    expect(within(item).getByText(description)).toBeDefined();
    const preview = within(item).getByRole('list', { name: 'Messages of modem' });
    expect(
      within(preview)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['$PUBX,00*33Asc', 'AT3 times, waits for OK, then 500 msAsc', '41 54Hex']);
  });

  it('loads with the state of the star, stars and unstars', async () => {
    const jkit = others(1, 'modem');
    const { server, jkits } = showLibrary((prepared) => {
      prepared.jkits = [jkit];
      prepared.starred = [jkit._id];
    });
    await open('Explore');
    await search('modem');
    await userEvent.click(await screen.findByRole('button', { name: 'modem' }));
    await press('Unstar');
    await confirm('Unstar modem?', 'Unstar');
    await screen.findByText('modem unstarred');
    server.failAt('POST', 'offline');
    await press('Star');
    await confirm('Star modem?', 'Star');
    await screen.findByText('Star JKit failed: Network error: No response from server');
    server.failAt('POST', null);
    await press('Try again');
    await screen.findByText('modem starred');
    await press('Load');
    await confirm('Load modem?', 'Load');
    expect(jkits.load).toHaveBeenCalledWith('a', jkit, true);
  });

  it('offers neither star nor rating for one’s own', async () => {
    showLibrary((server) => {
      server.jkits = [testJkit(1, { name: 'modem', shared: true })];
    });
    await open('Explore');
    await search('modem');
    await userEvent.click(await screen.findByRole('button', { name: 'modem' }));
    expect(screen.getByText(/by you/)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Star' })).toBeNull();
    expect(screen.queryByRole('radiogroup')).toBeNull();
  });
});

describe('a jkit whose content did not fit into the list', () => {
  const jkit = others(1, 'modem');
  const fetched = ({ calls }: JkitServer) => calls.filter((call) => call === `GET /api/jkits/${jkit._id}`);

  it('is fetched when it is chosen, and not before', async () => {
    const { server, jkits } = showLibrary((prepared) => {
      prepared.jkits = [jkit, others(2, 'modem too')];
      prepared.listsAreTooLong = true;
    });
    await open('Explore');
    await search('modem');
    const row = await screen.findByRole('button', { name: 'modem' });
    const item = row.closest('li') as HTMLElement;
    expect(item.textContent).toBe('modemNot rated yetv1.0.0 by gnss-hut');
    expect(fetched(server)).toEqual([]);
    await userEvent.click(row);
    expect((await within(item).findByRole('list', { name: 'Messages of modem' })).textContent).toContain('help');
    expect(item.textContent).toContain('v1.0.0 by gnss-hut. 2 messages, 1 hex');
    await press('Load');
    await confirm('Load modem?', 'Load');
    await waitFor(() => expect(jkits.load).toHaveBeenCalledWith('a', jkit, false));
    expect(fetched(server)).toHaveLength(1);
  });

  it('says why it could not be fetched, and loads when it can be again', async () => {
    const { server, jkits } = showLibrary((prepared) => {
      prepared.jkits = [jkit];
      prepared.starred = [jkit._id];
      prepared.listsAreTooLong = true;
      prepared.failAt(`GET /api/jkits/${jkit._id}`, 'offline');
    });
    await open('Starred');
    await userEvent.click(await screen.findByRole('button', { name: 'modem' }));
    await screen.findByText('Open JKit failed: Network error: No response from server');
    await press('Load');
    await confirm('Load modem?', 'Load');
    await screen.findByText('Load JKit failed: Network error: No response from server');
    expect(jkits.load).not.toHaveBeenCalled();
    server.failAt(`GET /api/jkits/${jkit._id}`, null);
    await press('Try again', await screen.findByRole('dialog', { name: 'Load modem?' }));
    await waitFor(() => expect(jkits.load).toHaveBeenCalledWith('a', jkit, expect.any(Boolean)));
  });
});

describe('rating', () => {
  it('takes 1 to 5 stars by keyboard: walking rates nothing, Enter does', async () => {
    const { server, jkits } = showLibrary((prepared) => {
      prepared.jkits = [others(1, 'modem')];
    });
    await open('Explore');
    await search('modem');
    await userEvent.click(await screen.findByRole('button', { name: 'modem' }));
    expect(screen.getByText('Not rated yet')).toBeDefined();
    screen.getByRole('radio', { name: '1 star' }).focus();
    await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}');
    expect(server.calls.some((call) => call.startsWith('POST') && call.endsWith('/rating'))).toBe(false);
    await userEvent.keyboard('{Enter}');
    await screen.findByText('modem rated');
    expect(server.bodies).toContainEqual({ stars: 4 });
    expect(screen.getByRole('radio', { name: '4 stars' }).getAttribute('aria-checked')).toBe('true');
    expect(jkits.refresh).toHaveBeenCalledWith(expect.objectContaining({ rating: 4 }));
    await screen.findByText('Rated 4.0 out of 5, 1 rating');
  });

  it('shows one’s own rating again when the row is opened again, on any day', async () => {
    const { server } = showLibrary((prepared) => {
      prepared.jkits = [others(1, 'modem')];
      prepared.rated.set(testJkit(1)._id, 4);
    });
    await open('Explore');
    await search('modem');
    const row = await screen.findByRole('button', { name: 'modem' });
    await userEvent.click(row);
    await screen.findByRole('radio', { name: '4 stars', checked: true });
    expect(screen.getByRole('radio', { name: '4 stars' }).tabIndex).toBe(0);
    await userEvent.click(screen.getByRole('radio', { name: '2 stars' }));
    await screen.findByText('modem rated');
    expect(server.rated.get(testJkit(1)._id)).toBe(2);
    await userEvent.click(row);
    expect(screen.queryByRole('radiogroup')).toBeNull();
    await userEvent.click(row);
    await screen.findByRole('radio', { name: '2 stars', checked: true });
  });

  it('is still possible when the earlier one cannot be had', async () => {
    const { server } = showLibrary((prepared) => {
      prepared.jkits = [others(1, 'modem')];
      prepared.failAt(`GET /api/jkits/${testJkit(1)._id}/rating`, 'offline');
    });
    await open('Explore');
    await search('modem');
    await userEvent.click(await screen.findByRole('button', { name: 'modem' }));
    await userEvent.click(screen.getByRole('radio', { name: '5 stars' }));
    await screen.findByText('modem rated');
    expect(server.rated.get(testJkit(1)._id)).toBe(5);
    await screen.findByRole('radio', { name: '5 stars', checked: true });
  });

  it('says why it failed', async () => {
    showLibrary((server) => {
      server.jkits = [others(1, 'modem')];
      server.failAt('POST', 'offline');
    });
    await open('Explore');
    await search('modem');
    await userEvent.click(await screen.findByRole('button', { name: 'modem' }));
    await userEvent.click(screen.getByRole('radio', { name: '5 stars' }));
    await screen.findByText('Rate JKit failed: Network error: No response from server');
  });
});

describe('starred jkits', () => {
  it('are listed, and gone once unstarred', async () => {
    const jkit = others(1, 'modem');
    const { server } = showLibrary((prepared) => {
      prepared.jkits = [jkit];
      prepared.starred = [jkit._id];
    });
    await open('Starred');
    expect(screen.getByRole('tab', { name: 'Starred 1' })).toBeDefined();
    await userEvent.click(await screen.findByRole('button', { name: 'modem' }));
    await press('Unstar');
    await confirm('Unstar modem?', 'Unstar');
    await screen.findByText('No starred JKits. Find some under Explore, and star what you want to find again.');
    expect(server.starred).toEqual([]);
  });

  it('say why they could not be listed', async () => {
    showLibrary((server) => server.failAt('GET /api/jkits/starred', 'offline'));
    await open('Starred');
    await screen.findByText('List starred JKits failed: Network error: No response from server');
  });
});
