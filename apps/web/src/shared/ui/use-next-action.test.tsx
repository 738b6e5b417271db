import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { useNextAction } from './use-next-action.ts';

function Example() {
  const [wrong, setWrong] = useState(false);
  useNextAction(wrong, () => setWrong(false));
  return (
    <>
      <button type="button" onClick={() => setWrong(true)}>
        Fail
      </button>
      <button type="button">Other</button>
      <input aria-label="Text" />
      <div role="alert">{wrong ? 'It failed.' : ''}</div>
    </>
  );
}

afterEach(cleanup);

it('clears by the next click or typed character, and is said again by the next failure', async () => {
  render(<Example />);
  const alert = () => screen.getByRole('alert').textContent;
  const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
  await press('Fail');
  expect(alert()).toBe('It failed.');
  await press('Fail');
  expect(alert()).toBe('It failed.');
  await press('Other');
  expect(alert()).toBe('');
  screen.getByRole('textbox').focus();
  screen.getByRole('button', { name: 'Fail' }).click();
  await expect.poll(alert).toBe('It failed.');
  await userEvent.keyboard('a');
  expect(alert()).toBe('');
});
