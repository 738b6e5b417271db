import type { EspChipName, EspDeviceOptions } from '@wirebench/devices';
import { beforeAll, describe, expect, it } from 'vitest';
import { splitIntoRegions } from '../../core/region.ts';
import { program } from '../../testing/program.ts';
import { connectEsp } from '../connect/connect-esp.ts';
import { EspRig, loadAllChips } from '../testing/esp-rig.ts';
import { decodeFrames } from '../testing/frames.ts';
import { bootRulesOf } from './boot-rules.ts';
import { decodeEfuses } from './decode-efuses.ts';
import { loadEfuseLayout } from './load-layout.ts';

beforeAll(loadAllChips, 60_000);

const chips: readonly (readonly [EspChipName, Partial<EspDeviceOptions>])[] = [
  ['esp32', {}],
  ['esp32', { revision: { major: 1, minor: 0 } }],
  ['esp32s2', {}],
  ['esp32s3', {}],
  ['esp32c2', {}],
  ['esp32c3', {}],
  ['esp32c5', {}],
  ['esp32c6', {}],
  ['esp32c61', {}],
  ['esp32h2', {}],
  ['esp32h21', {}],
  ['esp32h4', {}],
  ['esp32p4', {}],
  ['esp32p4', { revision: { major: 3, minor: 1 } }],
];

/** Registers that burn eFuses or control the controller lie behind the read registers, or before them. */
const CONTROLLER_SIZE = 0x200;

describe.each(chips)('eFuses of a simulated %s %o', (chip, options) => {
  it.each([true, false])('agree with its identity, with stub %s', async (stub) => {
    const rig = new EspRig({ chip, ...options });
    const board = await rig.connect({ stub });
    const words = await rig.run(board.efuses());
    const { revision, mac } = board.info;
    const layout = await loadEfuseLayout(words.chip, revision);
    const efuses = decodeEfuses(layout, words);
    expect(efuses.get('MAC')?.text.split(' ')[0]).toBe(mac);
    expect(efuses.number('WAFER_VERSION_MAJOR')).toBe(revision?.major ?? 0);
    expect(efuses.number('WAFER_VERSION_MINOR')).toBe(revision?.minor ?? 0);
    expect(bootRulesOf(efuses)).toMatchObject({ secureBoot: 'off', flashEncryption: 'off', encryptsDownloads: false });
    await rig.run(board.close());
  });

  it('report the security of the board', async () => {
    const rig = new EspRig({ chip, ...options, security: { flashEncryption: 'development', secureBoot: true } });
    const board = await rig.connect();
    const words = await rig.run(board.efuses());
    const rules = bootRulesOf(decodeEfuses(await loadEfuseLayout(words.chip, board.info.revision), words));
    expect(rules.secureBoot).toBe(chip === 'esp32' && board.info.revision?.major === 1 ? 'v1' : 'v2');
    expect(rules.flashEncryption).toBe('development');
    await rig.run(board.close());
  });

  it('are never written, whatever is done with the board', async () => {
    const rig = new EspRig({ chip, ...options });
    const sent: Uint8Array[] = [];
    const tap = { sent: (frame: Uint8Array) => sent.push(frame), received: () => undefined };
    const board = await rig.run(connectEsp(rig.port, { clock: rig.clock, tap }));
    await rig.run(board.efuses());
    await rig.run(board.write(splitIntoRegions(0x1_0000, program(20_000))));
    if (board.ability.canErase) {
      await rig.run(board.erase({ offset: 0x1_0000, length: 4_096 }));
    }
    const { base } = await loadEfuseLayout(board.info.chip, board.info.revision);
    await rig.run(board.restart());
    await rig.run(board.close());
    const written = decodeFrames(sent)
      .filter(({ op }) => op === 0x09)
      .flatMap(({ words }) => words.filter((_, index) => index % 4 === 0));
    expect(written.length).toBeGreaterThan(0);
    expect(written.filter((address) => address >= base && address < base + CONTROLLER_SIZE)).toEqual([]);
  });
});

describe('eFuses', () => {
  it('cannot be read in Secure Download Mode, and the board reports its permissions', async () => {
    const rig = new EspRig({ chip: 'esp32s3', security: { secureDownload: true, secureBoot: true } });
    const board = await rig.connect();
    expect(board.info.security.report).toMatchObject({ flags: 0b101, cryptCount: 0 });
    await expect(rig.run(board.efuses())).rejects.toMatchObject({ code: 'secure-download' });
    await rig.run(board.close());
  });

  it.each([true, false])('contain the MAC and the flash type of an ESP8266, with stub %s', async (stub) => {
    const rig = new EspRig({ chip: 'esp8266', mac: '5C:CF:7F:01:02:03' });
    const board = await rig.connect({ stub });
    const efuses = decodeEfuses(await loadEfuseLayout('esp8266', null), await rig.run(board.efuses()));
    expect(efuses.get('MAC')?.text).toBe(board.info.mac);
    expect(efuses.otp).toMatchObject({ model: 'ESP8266EX', mac: '5c:cf:7f:01:02:03', embeddedSize: null });
    expect(bootRulesOf(efuses)).toMatchObject({ secureBoot: 'off', flashEncryption: 'off', keys: [] });
    await rig.run(board.close());
  });
});
