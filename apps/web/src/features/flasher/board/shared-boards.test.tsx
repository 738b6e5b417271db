import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { SharedBoards } from './shared-boards.tsx';

afterEach(cleanup);

const link = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Link of the shared bench' });
const name = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Your name' });

it('says what is wrong with a link until the next action, wherever that is', async () => {
  render(<SharedBoards port={1} />);
  await userEvent.type(link(), 'https://example.org');
  await userEvent.type(name(), 'Lea{Enter}');
  expect(link().getAttribute('aria-invalid')).toBe('true');
  await userEvent.type(name(), 'n');
  expect(link().getAttribute('aria-invalid')).toBeNull();
});
