/** Loads the RAM program through the ROM and starts it ("Serial Protocol", section "Writing Data"; `firmware/probe/PROTOCOL.md`, "Start"). */
import { memBeginRequest, memDataRequest, memEndRequest, type Request } from '@wirebench/flasher/espressif/rom';
import { probeEvents, probeOps } from './frames.ts';
import { type ProbeCapabilities, readCapabilities, wordsAndBytes } from './operations.ts';
import { ProbeError } from './probe-failure.ts';
import { type ProbeProgram, segmentsOf } from './probe-program.ts';
import { ProbeTalk, type ProbeWire } from './probe-talk.ts';

/** Block that all ROMs take into RAM, in bytes. */
const blockSize = 0x1800;
/** Milliseconds besides the time on the wire: for an answer of the ROM, for the greeting, for an answer after it. */
const romLimit = 1_000;
const startLimit = 1_000;
const answerLimit = 600;
/** Over USB nobody is greeted, and bytes that come too early are lost. */
const attempts = 4;
/** Of the protocol. */
export const probeVersion = 1;

export interface HostFacts {
  /** MHz. */
  readonly crystal: number;
  /** So many times as long for each answer as a chip needs. */
  readonly patience: number;
}

/** @throws ProbeError `load-refused`, `not-started`, `other-version`; the signal's reason. */
export async function loadProbe(
  wire: ProbeWire,
  program: ProbeProgram,
  facts: HostFacts,
  signal?: AbortSignal,
): Promise<ProbeCapabilities> {
  let isGreeted = false;
  const talk = new ProbeTalk(wire, ({ op }) => {
    isGreeted ||= op === probeEvents.hello;
  });
  const ask = async ({ op, frame }: Request) => {
    const answer = await talk.answerTo(op, romLimit * facts.patience + talk.sendFrame(frame), signal);
    if (answer === null || answer.reason !== null) {
      throw new ProbeError('load-refused');
    }
  };
  wire.discard();
  for (const { address, bytes } of segmentsOf(program)) {
    const blocks = Math.ceil(bytes.length / blockSize);
    await ask(memBeginRequest({ size: bytes.length, blocks, blockSize, address }));
    for (let sequence = 0; sequence < blocks; sequence++) {
      await ask(memDataRequest(sequence, bytes.subarray(sequence * blockSize, (sequence + 1) * blockSize)));
    }
  }
  await ask(memEndRequest(program.entry));
  if (!isGreeted) {
    await talk.answerTo(probeEvents.hello, startLimit * facts.patience, signal);
  }
  const capabilities = await askCapabilities(talk, facts, signal);
  if (capabilities === null) {
    throw new ProbeError('not-started');
  }
  return capabilities;
}

/** Null when nobody answers. @throws ProbeError `other-version`; the signal's reason. */
export async function askCapabilities(
  talk: ProbeTalk,
  { crystal, patience }: HostFacts,
  signal?: AbortSignal,
): Promise<ProbeCapabilities | null> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    talk.send(probeOps.capabilities, wordsAndBytes([crystal * 1_000_000]));
    const answer = await talk.answerTo(probeOps.capabilities, answerLimit * patience, signal);
    if (answer !== null) {
      const capabilities = answer.reason === null ? readCapabilities(answer) : null;
      if (capabilities?.version !== probeVersion) {
        throw new ProbeError('other-version');
      }
      return capabilities;
    }
  }
  return null;
}
