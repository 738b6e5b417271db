import { expect, it } from 'vitest';
import { indexedBuilds } from './indexed-builds.ts';

const file = (name: string, text: string) => new File([text], name);

it('the same bytes under the same name are uploaded once, and other bytes of the same name are not lost', async () => {
  const ota = file('boot_app0.bin', 'ota');
  const { files, builds } = await indexedBuilds([
    {
      deviceModel: 'esp32',
      guards: {},
      files: [
        { file: ota, offset: ' 0xe000 ' },
        { file: file('app.bin', 'one'), offset: '0x10000' },
      ],
    },
    {
      deviceModel: 'esp32c3',
      guards: { psram: false },
      files: [
        { file: file('boot_app0.bin', 'ota'), offset: '0xe000' },
        { file: file('app.bin', 'two'), offset: '0x10000' },
        { file: file('app.hex', 'two'), offset: '' },
      ],
    },
  ]);
  expect(await Promise.all(files.map(async (one) => [one.name, await one.text()]))).toEqual([
    ['boot_app0.bin', 'ota'],
    ['app.bin', 'one'],
    ['app.bin', 'two'],
    ['app.hex', 'two'],
  ]);
  expect(builds).toEqual([
    {
      deviceModel: 'esp32',
      guards: {},
      files: [
        { index: 0, offset: '0xe000' },
        { index: 1, offset: '0x10000' },
      ],
    },
    {
      deviceModel: 'esp32c3',
      guards: { psram: false },
      files: [{ index: 0, offset: '0xe000' }, { index: 2, offset: '0x10000' }, { index: 3 }],
    },
  ]);
});
