import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { PanelsPane } from './panels-pane.tsx';
import { openForm } from './store/panels-session.ts';
import { panelsNow } from './store/panels-store.ts';
import { ascii, onePanel, showTime } from './testing/panel-rig.ts';

afterEach(cleanup);

const flowOf = (index: number) => panelsNow().panels[0]?.pinnedMessages[index]?.flow;

it('an answer with a capture, its branch and the one without an answer are added by keyboard', async () => {
  onePanel(ascii('seed?'), { ...ascii('reset'), label: 'Reset' });
  openForm({ messageId: 'a0', kind: 'edit' });
  render(<PanelsPane onShowTime={showTime} />);
  const open = await screen.findByRole('button', { name: 'Answers and branches' });
  expect(open.getAttribute('aria-expanded')).toBe('false');
  open.focus();
  await userEvent.keyboard('{Enter}{Tab}{Enter}');
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Answer 1' }));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Answer 1: form' }), '/…/');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText('Type an answer, or remove it.')).toBeDefined();
  await userEvent.type(screen.getByRole('textbox', { name: 'Answer 1' }), '/seed=(\\w+)/');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'After answer 1' }), 'stop: passed');
  await userEvent.type(screen.getByRole('textbox', { name: 'After answer 1: sentence' }), 'Seed known');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'No answer' }), 'go to Reset');
  await userEvent.keyboard('{Tab}');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(flowOf(0)).toMatchObject({
    answers: [{ form: 'expression', content: '/seed=(\\w+)/', go: { kind: 'stop', passed: true, say: 'Seed known' } }],
    otherwise: { kind: 'goto', to: 'Reset' },
  });
});

it('a message without branches stays without them when it is saved', async () => {
  onePanel(ascii('set {1}'));
  openForm({ messageId: 'a0', kind: 'edit' });
  render(<PanelsPane onShowTime={showTime} />);
  expect(await screen.findByRole('switch', { name: /^Insert/ })).toHaveProperty('checked', false);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(flowOf(0)).toBeNull();
});
