import { expect, it } from 'vitest';
import { labChip } from '../chips/lab-chips.ts';
import { policyOf } from '../policy/policy.ts';
import { wireSteps } from '../runner/wire-steps.ts';
import { unescaped } from '../testing/recording.ts';
import { i2cTransfer } from './i2c.ts';

it.each(['esp32', 'esp32c3'] as const)('waits on %s until the bus has carried a transfer', (name) => {
  const chip = labChip(name);
  const transfer = i2cTransfer(chip, { address: 0x48, write: Uint8Array.of(0), read: 31, clock: 100_000 });
  const [list] = wireSteps(transfer.steps, policyOf(chip), chip.limits);
  const frame = list?.kind === 'requests' ? list.requests[0]?.request.frame : undefined;
  // The last entry waits. Its delay is its last word.
  const words = unescaped(Buffer.from(frame ?? []).toString('hex'));
  const units = Buffer.from(words.slice(-8), 'hex').readUInt32LE();
  const bits = (3 + 31) * 9;
  expect(units * chip.limits.delayUnit).toBeGreaterThanOrEqual((bits * 1e6) / 100_000);
});
