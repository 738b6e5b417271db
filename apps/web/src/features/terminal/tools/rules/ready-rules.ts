/** Rules that are ready to use, each a start for one's own. */
import { noActions, nothingUnknown, type Rule } from '@wirebench/serial';
import { newId } from '../../panels/model/stored-fields.ts';

type Ready = Pick<Rule, 'name' | 'condition'> & { readonly actions: Partial<Rule['actions']> };

const line = (find: string) => ({ kind: 'line' as const, find, matchCase: false });

const readyRules: readonly Ready[] = [
  { name: 'Errors red', condition: line('level:error'), actions: { colour: 'red', mark: true } },
  {
    name: 'ESP-IDF resets',
    condition: line('/^rst:0x|^ESP-ROM:|Guru Meditation|Rebooting\\.\\.\\./'),
    actions: { colour: 'violet', mark: true },
  },
  {
    name: 'Heap below 20,000',
    condition: { kind: 'value', series: 'heap', side: 'below', limit: 20_000 },
    actions: { colour: 'amber', note: true },
  },
  { name: 'Login', condition: line('login:'), actions: { colour: 'blue', note: true } },
  {
    name: 'Silence of 30 seconds',
    condition: { kind: 'silence', seconds: 30, find: '' },
    actions: { note: true },
  },
];

export const readyNames: readonly string[] = readyRules.map(({ name }) => name);

/** Names of those for opened logs, which are never silent. */
export const readyLogNames: readonly string[] = readyRules
  .filter(({ condition }) => condition.kind !== 'silence')
  .map(({ name }) => name);

/** Returns a new rule by the name of a ready-made one. */
export function readyRule(name: string): Rule | null {
  const ready = readyRules.find((rule) => rule.name === name);
  return ready === undefined
    ? null
    : {
        id: newId(),
        isOn: true,
        mayAct: true,
        where: 'panel',
        others: nothingUnknown,
        ...ready,
        actions: { ...noActions, ...ready.actions },
      };
}
