import { historyActions } from '@wirebench/contract';
import { expect, it } from 'vitest';
import { historyText } from './history-dialog.tsx';

const line = { _id: 'x', at: '2026-11-20T12:00:00.000Z', by: 'mira.k', version: '1.4.0', token: null };

it('a line says who did what, and by which token', () => {
  expect(historyText({ ...line, action: 'version-created' })).toBe('mira.k added version 1.4.0');
  expect(historyText({ ...line, action: 'version-created', token: { _id: 't', name: 'CI' } })).toBe(
    'mira.k added version 1.4.0 with the token "CI"',
  );
});

it('each kind of change has words of its own', () => {
  const texts = historyActions.map((action) => historyText({ ...line, action }));
  expect(new Set(texts).size).toBe(historyActions.length);
});
