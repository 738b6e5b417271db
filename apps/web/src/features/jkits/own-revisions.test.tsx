import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { testJkit } from './testing/jkit-server.ts';
import { clearLibrary, confirm, open, press, showLibrary } from './testing/library.tsx';

afterEach(clearLibrary);

describe('one’s own jkits', () => {
  it('are updated with their loaded revision, so that a later change is not overwritten', async () => {
    const jkit = testJkit(1);
    const { content: _, ...loadedJkit } = jkit;
    const { server } = showLibrary(
      (prepared) => {
        prepared.jkits = [{ ...jkit, content: '{"fields":["ATI"]}', updatedAt: '2025-11-20T12:00:00.000Z' }];
      },
      { loadedJkit },
    );
    await open();
    await press('jkit-1');
    await press('Update');
    const form = await screen.findByRole('form', { name: 'Update jkit-1?' });
    await press('Update', form);
    await waitFor(() => expect(server.bodies).toContainEqual(expect.objectContaining({ basedOn: jkit.updatedAt })));
  });

  it('keep their loaded revision when they are shared', async () => {
    const jkit = testJkit(1);
    const { content: _, ...loadedJkit } = jkit;
    const { jkits } = showLibrary(
      (prepared) => {
        prepared.jkits = [{ ...jkit, content: '{"fields":["ATI"]}', updatedAt: '2025-11-20T12:00:00.000Z' }];
      },
      { loadedJkit },
    );
    await open();
    await press('jkit-1');
    await press('Share');
    await confirm('Share jkit-1?', 'Share');
    expect(jkits.refresh).toHaveBeenCalledWith(expect.objectContaining({ shared: true, updatedAt: jkit.updatedAt }));
  });
});
