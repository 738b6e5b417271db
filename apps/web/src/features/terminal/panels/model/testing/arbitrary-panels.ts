/** Arbitrary panels for property tests, including fields that other versions may have stored. */
import { anyValue, message, unknownKeys } from '@wirebench/runs/testing';
import { newRule } from '@wirebench/serial';
import fc from 'fast-check';
import type { DevicePanel } from '../device-panel.ts';

const rule = newRule({
  id: 'rule',
  name: 'Errors red',
  mayAct: false,
  where: 'panel',
  condition: { kind: 'line', find: 'level:error', matchCase: false },
  actions: { colour: 'red', mark: true },
});

export const panel: fc.Arbitrary<DevicePanel> = fc
  .oneof({ weight: 9, arbitrary: fc.nat({ max: 6 }) }, { weight: 1, arbitrary: fc.constant(50) })
  .chain((count) =>
    fc.record({
      id: fc.constant('panel'),
      name: fc.string({ minLength: 1, maxLength: 32 }).filter((name) => name.trim() !== ''),
      pinnedTargetPort: fc.constantFrom(-1 as const, 1 as const, 2 as const, 3 as const, 4 as const),
      pinnedMessages: fc.tuple(...Array.from({ length: count }, (_, index) => message(`message ${index}`))),
      rules: fc.constantFrom([], [rule]),
      targetChosen: fc.boolean(),
      collapsed: fc.boolean(),
      lineEnding: fc.boolean(),
      ending: fc.constantFrom(null, 'none' as const, 'cr' as const),
      loadedJkit: fc.option(unknownKeys, { nil: null }),
      jkitKept: fc.record({ content: unknownKeys, settings: unknownKeys }),
      isStarred: fc.boolean(),
      userId: fc.option(fc.constant('maker'), { nil: null }),
      others: fc.dictionary(fc.constantFrom('colour', 'note'), anyValue, {
        maxKeys: 2,
        noNullPrototype: true,
      }),
    }),
  );
