/** A fake host of the lab whose answers a test decides, and a board on the bench. */
import type { CallApi } from '../../../protocol/calls/call-protocol.ts';
import type { LabApi, LabBoard, PinFacts } from '../../../protocol/lab-protocol.ts';
import { type LabLine, labLine } from '../store/lab-line.ts';
import { changeLab, idleLab, type LabState, noTick, showLevels } from '../store/lab-store.ts';

type Answers = { readonly [Name in keyof LabApi]?: (...args: Parameters<LabApi[Name]>) => ReturnType<LabApi[Name]> };

export interface FakeLab {
  /** Name and arguments of every call so far. */
  readonly calls: readonly (readonly unknown[])[];
}

/** @param answers Functions that answer calls or throw. Other calls resolve with undefined. */
export function fakeLab(answers: Answers = {}): FakeLab {
  const calls: unknown[][] = [];
  const line = {
    call: async (name: keyof LabApi & keyof CallApi<LabApi>, ...args: never[]) => {
      calls.push([name, ...args]);
      return (answers[name] as ((...given: never[]) => unknown) | undefined)?.(...args);
    },
  };
  labLine.replace(line as unknown as LabLine);
  return { calls };
}

const pin = (gpio: number, more: Partial<PinFacts> = {}): PinFacts => ({
  gpio,
  rule: 'free',
  reason: '',
  adc: false,
  pulls: true,
  ...more,
});

export const testBoard: LabBoard = {
  chip: 'esp32',
  description: 'ESP32-D0WD-V3',
  mac: '24:0a:c4:00:01:10',
  revision: 'v3.1',
  crystal: 40,
  link: 'uart',
  packageName: null,
  demo: true,
  countsEdges: true,
  runsProbe: false,
  port: {},
  pins: [
    pin(6, { rule: 'locked', reason: 'GPIO 6 is connected to the flash chip.' }),
    pin(12, { rule: 'warn', reason: 'GPIO 12 chooses how the chip starts.' }),
    pin(13),
    pin(14),
    pin(21),
    pin(22),
    pin(23),
    pin(34, { rule: 'input-only', reason: 'GPIO 34 is input only.', adc: true, pulls: false }),
  ],
  registers: [
    {
      name: 'GPIO',
      registers: [
        {
          name: 'GPIO_OUT',
          address: 0x3ff4_4004,
          fields: [{ name: 'OUT', from: 0, bits: 32 }],
          readTakes: false,
          writeOnly: false,
        },
        { name: 'GPIO_OUT_W1TS', address: 0x3ff4_4008, fields: [], readTakes: false, writeOnly: true },
      ],
    },
  ],
};

/** Puts a board on the bench. */
export function openBench(tick: Partial<LabState['tick']> = {}, state: Partial<LabState> = {}): void {
  changeLab({
    ...idleLab,
    phase: 'open',
    board: testBoard,
    tick: { ...noTick, open: true, ...tick },
    ...state,
  });
  showLevels([1 << 21, 0]);
}
