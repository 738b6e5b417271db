import { describe, expect, it } from 'vitest';
import { readFirmwareList } from './read-list.ts';

const listOf = (...releases: unknown[]) => readFirmwareList(JSON.stringify({ releases }));

describe('the list of firmware', () => {
  it('leads to the flasher of the family with the manifest', () => {
    const blinky = { name: 'Blinky', version: '1.2.0', chips: ['ESP32'], manifest: 'releases/blinky/manifest.json' };
    const address = 'manifest=releases%2Fblinky%2Fmanifest.json';
    expect(listOf(blinky, { ...blinky, family: 'stm' })).toEqual([
      { name: 'Blinky', version: '1.2.0', chips: ['ESP32'], address: `/esp_flasher.html?${address}` },
      { name: 'Blinky', version: '1.2.0', chips: ['ESP32'], address: `/stm_flasher.html?${address}` },
    ]);
  });

  it('needs a name and a manifest, and takes unknown families for Espressif', () => {
    expect(listOf({ name: 'Bare', manifest: 'a.json', family: 'toString' }, { name: 'No manifest' }, 7, null)).toEqual([
      { name: 'Bare', version: '', chips: [], address: '/esp_flasher.html?manifest=a.json' },
    ]);
  });

  it.each(['', '[]', '{"releases":{}}', '<html>'])('is none in %j', (text) => {
    expect(readFirmwareList(text)).toBeNull();
  });
});
