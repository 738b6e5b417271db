import { expect, it } from 'vitest';
import { runningRules, waitingRules } from '../../tools/rules/running-rules.ts';
import { loadJkit, placeForJkit } from './jkit-actions.ts';
import { panelsNow } from './panels-store.ts';

it('loads the JKit of an address with rules that wait for permission to send, run and record', () => {
  const rules = [
    { name: 'Greet', where: 'all', mayAct: true, when: { line: 'login:' }, do: { colour: 'blue', answer: 'root' } },
    { name: 'Keep', where: 'all', when: { line: 'boot' }, do: { run: true, record: 'start' } },
  ];
  const place = placeForJkit('kit');
  const jkit = { _id: 'kit', name: 'Kit', content: JSON.stringify({ fields: [], rules }) };
  expect(loadJkit(place?.id ?? '', jkit, false)).toMatchObject({ ok: true, warnings: [] });

  const { panels } = panelsNow();
  expect(waitingRules(panels).map(({ name }) => name)).toEqual(['Greet', 'Keep']);
  expect(runningRules(panels)).toMatchObject([
    { name: 'Greet', colour: 'blue', answer: null },
    { name: 'Keep', isReported: false },
  ]);
});
