/** Loads the RAM program through the ROM and starts it ("Serial Protocol", section "Writing Data"; `firmware/probe/PROTOCOL.md`, "Start"). */
import { memBeginRequest, memDataRequest, memEndRequest, type Request } from '@wirebench/flasher/esp/rom';
import { probeEvents, probeOps } from './frames.ts';
import { type ProbeCapabilities, readCapabilities, wordsAndBytes } from './operations.ts';
import { ProbeError } from './probe-failure.ts';
import { type ProbeProgram, segmentsOf } from './probe-program.ts';
import { ProbeTalk, type ProbeWire } from './probe-talk.ts';

/** Bytes of a block that all ROMs load into RAM. */
const blockSize = 0x1800;
/**
 * Milliseconds besides the time on the wire: for an answer of the ROM, for the program's greeting, for a later answer
 * of the program.
 */
const romLimit = 1_000;
const startLimit = 1_000;
const answerLimit = 600;
/**
 * Maximum requests for capabilities. Over USB the program sends no greeting, and bytes that arrive too early are
 * lost.
 */
const attempts = 4;
/** Version of the probe's protocol. */
export const probeVersion = 1;

export interface HostFacts {
  /** MHz. */
  readonly crystal: number;
  /** Factor for answer time limits; a real chip has 1. */
  readonly patience: number;
}

/**
 * Loads the program and returns its capabilities.
 *
 * @throws ProbeError `load-refused`, `not-started`, `other-version`; the signal's reason.
 */
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

/**
 * Asks for the program's capabilities; null if nothing answers.
 *
 * @throws ProbeError `other-version`; the signal's reason.
 */
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
