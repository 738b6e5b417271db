/** A whole build on a simulated board whose flash is encrypted: what the chip encrypts, and that the build starts. */
import { beforeAll, expect, it } from 'vitest';
import { BegunChanges } from '../../core/begun-changes.ts';
import type { BootRules } from '../efuse/boot-rules.ts';
import { buildLittleFs, buildNvsKeys, buildOtaData, buildTable } from '../testing/esp-data.ts';
import { buildApp, buildBootloader, chipIds, filler } from '../testing/esp-images.ts';
import { EspRig, loadAllChips } from '../testing/esp-rig.ts';
import { readBoardContents } from './board-contents.ts';
import { carryOutEsp } from './carry-out.ts';
import { planComparedEsp } from './compared-plan.ts';

beforeAll(loadAllChips, 60_000);

const { signal } = new AbortController();
const chipId = chipIds.esp32s3;
const bootRules: BootRules = {
  secureBoot: 'off',
  keys: [],
  flashEncryption: 'development',
  encryptsDownloads: true,
  secureVersion: 0,
  ignoresMaximumRevision: false,
};
const table = buildTable([
  { name: 'nvs', type: 1, subtype: 2, offset: 0x9000, size: 0x4000 },
  { name: 'otadata', type: 1, subtype: 0, offset: 0xd000, size: 0x2000 },
  { name: 'nvs_key', type: 1, subtype: 4, offset: 0xf000, size: 0x1000 },
  { name: 'ota_0', type: 0, subtype: 0x10, offset: 0x10000, size: 0x20000 },
  { name: 'ota_1', type: 0, subtype: 0x11, offset: 0x30000, size: 0x20000 },
  { name: 'storage', type: 1, subtype: 0x82, offset: 0x50000, size: 0x4000 },
  { name: 'sealed', type: 1, subtype: 6, offset: 0x54000, size: 0x4000, flags: 1 },
]);
const bootloader = buildBootloader({
  chipId,
  segments: [{ address: 0x3fce3808, data: filler(400) }],
  entry: 0x3fce3808,
});
const files = [
  { name: 'bootloader.bin', offset: 0, bytes: bootloader },
  { name: 'partition-table.bin', offset: 0x8000, bytes: table },
  { name: 'ota_data.bin', offset: 0xd000, bytes: buildOtaData(2) },
  { name: 'keys.bin', offset: 0xf000, bytes: buildNvsKeys() },
  { name: 'app.bin', offset: 0x30000, bytes: buildApp({ chipId, maximumRevision: 99 }) },
  { name: 'storage.bin', offset: 0x50000, bytes: buildLittleFs() },
  { name: 'own.bin', offset: 0x54000, bytes: filler(4_096).fill(0xff, 100) },
];

it('a build for an encrypted board is stored as its partition table says, and starts', async () => {
  const rig = new EspRig({ chip: 'esp32s3', security: { flashEncryption: 'development' }, pace: 'none' });
  const board = await rig.connect();
  const contents = await rig.run(readBoardContents(board, signal));
  expect(contents.table).toBe('not-read');
  const input = {
    board,
    contents,
    isDemo: false,
    bootRules,
    begun: new BegunChanges(),
    files,
    encrypt: true,
    keepNvs: false,
  };
  const { plan } = await rig.run(planComparedEsp({ ...input, signal }));
  expect([plan.refusals, plan.start?.result]).toEqual([[], 'yes']);
  const saved = { contents: new Map(), changes: new BegunChanges() };
  const act = { clock: rig.clock, board, plan, saved, signal, onStage: () => undefined, onEvent: () => undefined };
  await rig.run(carryOutEsp(act));
  for (const { name, offset, bytes } of files) {
    const isPlain = name === 'storage.bin';
    const stored = isPlain ? rig.flash(offset, bytes.length) : rig.device.decrypted(offset, bytes.length);
    expect([name, Buffer.compare(stored, bytes)]).toEqual([name, 0]);
    expect([name, Buffer.compare(rig.flash(offset, bytes.length), bytes) === 0]).toEqual([name, isPlain]);
  }
  await rig.run(board.restart());
  await rig.clock.advance(1_000);
  expect(rig.device.state).toBe('running');
});
