import { VirtualClock } from '@wirebench/clock';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { openBytePort } from '../../byte-port.ts';
import { hexOf } from '../../core/bytes.ts';
import { runOn } from '../../testing/run-on.ts';
import { sendFrames } from '../../testing/scripted-answers.ts';
import { CommandLink } from '../protocol/command-link.ts';
import { readRegRequest, securityInfoRequest } from '../protocol/commands.ts';
import { registersOf } from '../protocol/registers.ts';
import { identify } from './identify.ts';

const never = new AbortController().signal;
const askMagic = hexOf(readRegRequest(0x4000_1000).frame);
const askSecurity = hexOf(securityInfoRequest().frame);

/** Identifies a board that answers these requests with these frames, and no others. */
async function identifyBoard(answers: Readonly<Record<string, readonly string[]>>) {
  const clock = new VirtualClock();
  const device = new FakeSerialPort();
  device.onWrite = (bytes) => sendFrames(device, ...(answers[hexOf(bytes)] ?? []));
  const link = new CommandLink(await openBytePort(device, { baudRate: 115_200 }, clock), () => undefined);
  const identifying = identify(link, registersOf(link, never).read, never).catch((error: unknown) => error);
  return { found: await runOn(clock, identifying), asked: device.writes.map(hexOf) };
}

const magic = (value: string) => [`010a0400${value}00000000`];

describe('identifying a chip', () => {
  it('asks a C3 for its id (recorded)', async () => {
    const { found, asked } = await identifyBoard({
      [askMagic]: magic('6f50311b'),
      [askSecurity]: ['01141800efbeadde00000000000000000000000c050000000300000000050000'],
    });
    expect(found).toMatchObject({
      chip: { name: 'esp32c3' },
      security: { secureBoot: false, flashEncryption: false, secureDownload: false },
    });
    expect(asked).toEqual([askMagic, askSecurity]);
  });

  it('reads the flags of security information, also those that look like a refusal', async () => {
    // Flags: secure boot and Secure Download Mode. The counter of flash encryption is odd. The chip is an S3.
    const { found } = await identifyBoard({
      [askMagic]: ['010a0400831df00001050000'],
      [askSecurity]: ['01141800efbeadde05000000010000000000000c090000000300000000050000'],
    });
    expect(found).toMatchObject({
      chip: { name: 'esp32s3' },
      security: { secureBoot: true, flashEncryption: true, secureDownload: true },
    });
  });

  it('never sends an ESP32 a command that it does not know', async () => {
    const { asked } = await identifyBoard({ [askMagic]: magic('831df000') });
    expect(asked[0]).toBe(askMagic);
    expect(asked).not.toContain(askSecurity);
  });

  it('takes what answers without an id, and lets nothing be read, for an S2 in Secure Download Mode', async () => {
    const { found } = await identifyBoard({
      [askMagic]: ['01080400070712200105' + '0000'],
      [askSecurity]: ['01141000000000000400000000000000000000000000' + '0000'],
    });
    expect(found).toMatchObject({ chip: { name: 'esp32s2' }, security: { secureDownload: true } });
  });

  it.each([
    ['has an id that nobody knows', ['01141800efbeadde00000000000000000000000c630000000300000000050000']],
    ['does not know the question', ['010a04006f50311b01050000']],
  ])('reads no other register of a chip that %s', async (_name, answer) => {
    const { found, asked } = await identifyBoard({ [askMagic]: magic('6f50311b'), [askSecurity]: answer });
    expect(found).toMatchObject({ name: 'EspError', code: 'unknown-chip' });
    expect(asked).toEqual([askMagic, askSecurity]);
  });

  it('says that a board stopped answering', async () => {
    expect((await identifyBoard({})).found).toMatchObject({ code: 'stopped-answering' });
    expect((await identifyBoard({ [askMagic]: magic('6f50311b') })).found).toMatchObject({ code: 'stopped-answering' });
  });
});
