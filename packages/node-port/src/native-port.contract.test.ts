/** The contract of every `SerialPort`, on a pseudo-terminal of socat. Linux and macOS. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { canCall, socatCall } from '../../devices/src/testing/pseudo-terminal.ts';
import { serialPortContract } from '../../devices/src/testing/serial-port-contract.ts';
import { casesOfLines, nativeCases, nativeRig } from './testing/native-rig.ts';

describe.runIf(canCall(socatCall))('a native port', () => {
  it.each(nativeCases.map((contractCase) => [contractCase.name, contractCase] as const))(
    '%s',
    async (_sentence, contractCase) => {
      const rig = await nativeRig();
      onTestFinished(() => rig.close());
      await contractCase.run(rig);
    },
  );

  it('leaves out no case but those of the modem lines', () => {
    const run = new Set(nativeCases.map(({ name }) => name));
    expect(serialPortContract.filter(({ name }) => !run.has(name)).map(({ name }) => name)).toEqual(casesOfLines);
  });
});
