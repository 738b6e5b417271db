/**
 * Recognises a board that runs the probe from its flash, by asking it before any reset (`firmware/probe/PROTOCOL.md`,
 * "E0 CAPABILITIES").
 */
import type { AnsweringProgram } from '@wirebench/flasher/esp/rom';
import { probeOps } from './frames.ts';
import { probeVersion } from './load-probe.ts';
import { readCapabilities, wordsAndBytes } from './operations.ts';
import type { ProbeChipName } from './probe-program.ts';
import { ProbeTalk, type ProbeWire } from './probe-talk.ts';

/**
 * Milliseconds for an answer, besides the time on the wire. Short, because the probe answers at once and every other
 * board costs the whole wait.
 */
const answerLimit = 100;

/** Names by the chip number in the capabilities. */
const chips: Readonly<Record<number, ProbeChipName>> = { 0: 'esp32', 5: 'esp32c3' };

/**
 * Returns the running probe. Null if nothing answers, or a probe with another protocol version. Any other program
 * receives ten bytes without meaning to it.
 *
 * @throws The signal's reason.
 */
export async function recogniseProbe(wire: ProbeWire, signal: AbortSignal): Promise<AnsweringProgram | null> {
  const talk = new ProbeTalk(wire, () => undefined);
  const ask = (data: Uint8Array) =>
    talk.answerTo(probeOps.capabilities, answerLimit + talk.send(probeOps.capabilities, data), signal);
  const answer = await ask(new Uint8Array());
  const capabilities = answer === null || answer.reason !== null ? null : readCapabilities(answer);
  const chip = capabilities?.version === probeVersion ? chips[capabilities.chip] : undefined;
  if (chip === undefined) {
    return null;
  }
  return {
    chip,
    tellCrystal: async (crystal) => {
      await ask(wordsAndBytes([crystal * 1_000_000]));
    },
  };
}
