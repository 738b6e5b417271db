/**
 * Runs the contract of every `SerialPort` on native ports without a test runner, under the Node that starts it. Prints
 * a line of JSON for each case.
 */
import '@wirebench/port/older-node';
import { nativeCases, nativeRig } from './native-rig.ts';

for (const { name, run } of nativeCases) {
  const rig = await nativeRig();
  const failure = await run(rig).then(
    () => null,
    (error: unknown) => String(error),
  );
  await rig.close();
  process.stdout.write(`${JSON.stringify({ name, failure })}\n`);
}
process.exit();
