/** The release for trying the flasher. It is marked as a demo, so that flashers refuse to write it to a real chip. */
import { demoReleaseId } from '@wirebench/contract';
import { demoFiles } from './demo-files.ts';
import type { ProductRelease } from './product-release.ts';

export function demoRelease(): ProductRelease {
  return {
    projectId: '01939c00-0000-7000-8000-00000000de50',
    versionId: '01939c00-0000-7000-8000-00000000de51',
    shareId: demoReleaseId,
    isDemo: true,
    name: 'Wirebench demo',
    publisher: 'wirebench',
    projectDescription: 'A release to try the flasher with. It runs on the demo device only.',
    deviceModel: 'esp32',
    version: '1.0.0',
    versionDescription:
      'Open this release in the flasher, choose the **demo device** and flash. Then the monitor opens and the board says hello.',
    files: demoFiles(),
    baudRate: 115_200,
  };
}
