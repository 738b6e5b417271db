/** Projects and versions for tests. */
import type { FirmwareFile, Project, Version } from '@wirebench/contract';

let made = 0;
const newId = () => `01978c00-0000-7000-8000-${String(++made).padStart(12, '0')}`;

export function testFile(changes: Partial<FirmwareFile> = {}): FirmwareFile {
  return { _id: newId(), fileName: 'app.bin', size: 1_258_291, offset: '0x10000', sha256: 'ab'.repeat(32), ...changes };
}

export function testVersion(changes: Partial<Version> = {}): Version {
  return {
    _id: newId(),
    shareId: `v${String(++made).padStart(21, '0')}`,
    version: '1.4.0',
    description: 'Fixes I2C timeout after deep sleep.',
    isPublic: false,
    createdAt: '2026-11-18T12:00:00.000Z',
    writeCount: 0,
    console: null,
    files: [testFile()],
    ...changes,
  };
}

export function testProject(changes: Partial<Project> = {}): Project {
  return {
    _id: newId(),
    shareId: `p${String(++made).padStart(21, '0')}`,
    name: 'weather-node',
    description: 'Outdoor sensor node.',
    deviceFamily: 'esp',
    deviceModel: 'esp32s3',
    publisher: 'mira.k',
    demo: false,
    isPublic: false,
    createdAt: '2026-11-18T12:00:00.000Z',
    updatedAt: '2026-11-18T12:00:00.000Z',
    versions: [],
    ...changes,
  };
}
