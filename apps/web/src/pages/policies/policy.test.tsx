import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { PrivacyPage } from './privacy-page.tsx';
import { TermsPage } from './terms-page.tsx';

afterEach(cleanup);

test.each([
  ['Privacy', PrivacyPage],
  ['Terms of use', TermsPage],
] as const)('%s has its heading and its date', (title, Page) => {
  render(<Page />);
  screen.getByRole('heading', { level: 1, name: title });
  expect(screen.getByRole('article').textContent).toContain('March 22, 2023');
});
