/** A board that runs the probe from its flash, told by asking before any reset (`firmware/probe/PROTOCOL.md`, "E0 CAPABILITIES"). */
import type { AnsweringProgram } from '@wirebench/flasher/espressif/rom';
import { probeOps } from './frames.ts';
import { probeVersion } from './load-probe.ts';
import { readCapabilities, wordsAndBytes } from './operations.ts';
import type { ProbeChipName } from './probe-program.ts';
import { ProbeTalk, type ProbeWire } from './probe-talk.ts';

/** Milliseconds for an answer, besides the time on the wire: a probe answers at once, and everybody else waits so long for nothing. */
const answerLimit = 100;

/** By the number that capabilities give. */
const chips: Readonly<Record<number, ProbeChipName>> = { 0: 'esp32', 5: 'esp32c3' };

/**
 * Null when nobody answers, or a probe of another version of the protocol. Any other program receives ten bytes that mean nothing to it.
 * @throws the signal's reason.
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
