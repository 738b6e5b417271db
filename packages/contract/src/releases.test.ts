import { specifiedModels } from '@wirebench/boards';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  defaultReleaseLimits,
  demoReleaseId,
  errorText,
  FlashReport,
  firmwarePaths,
  NewProject,
  NewToken,
  NewVersion,
  nameKey,
  releaseLimits,
  releaseText,
  SharingChange,
  sharedFirmwarePaths,
  sharedFirmwareRoot,
} from './index.ts';

const version = { projectId: 'id', version: '1.0.0', description: 'First', offsets: ['0x0'] };
const firstRefusal = (
  schema: { safeParse(value: unknown): { error?: { issues: { message: string }[] } } },
  body: unknown,
) => schema.safeParse(body).error?.issues[0]?.message;

describe('texts of releases', () => {
  it('state their limits', () => {
    expect(releaseText.projectLimit(defaultReleaseLimits.projects)).toContain('limit of 5 projects.');
    expect(releaseText.versionLimit(defaultReleaseLimits.versions)).toContain('limit of 3 versions per project.');
    expect(releaseText.versionTaken('2.0')).toBe(
      'Version "2.0" already exists in this project. Please use a unique version number.',
    );
    expect(releaseText.notPublic('project')).toBe(errorText['project-not-public']);
    expect(releaseLimits.files).toBe(4);
  });
});

describe('addresses of releases', () => {
  it('are built from ids', () => {
    expect([
      firmwarePaths.projects,
      firmwarePaths.newProject,
      firmwarePaths.projectDescription('{id}'),
      firmwarePaths.project('{id}'),
      firmwarePaths.projectShare('{id}'),
      firmwarePaths.projectSharing('{id}'),
      firmwarePaths.versions('{projectId}'),
      firmwarePaths.newVersion,
      firmwarePaths.versionDescription('{id}'),
      firmwarePaths.version('{id}'),
      firmwarePaths.versionShare('{id}'),
      firmwarePaths.versionSharing('{id}'),
    ]).toEqual([
      '/api/firmware/projects',
      '/api/firmware/project',
      '/api/firmware/project/{id}/update-description',
      '/api/firmware/project/{id}',
      '/api/firmware/project/{id}/share',
      '/api/firmware/project/{id}/toggle-sharing',
      '/api/firmware/versions/{projectId}',
      '/api/firmware/version',
      '/api/firmware/version/{id}/update-description',
      '/api/firmware/version/{id}',
      '/api/firmware/version/{id}/share',
      '/api/firmware/version/{id}/toggle-sharing',
    ]);
  });

  it('share one root for public content', () => {
    for (const path of [
      sharedFirmwarePaths.item('project', demoReleaseId),
      sharedFirmwarePaths.file('version', demoReleaseId, 'x'),
      sharedFirmwarePaths.manifest('project', demoReleaseId),
      sharedFirmwarePaths.badge('version', demoReleaseId),
      sharedFirmwarePaths.flashes(demoReleaseId),
    ]) {
      expect(path.startsWith(sharedFirmwareRoot)).toBe(true);
    }
  });
});

describe('names', () => {
  it('are equal regardless of case and of surrounding white space', () => {
    expect(nameKey('  Blinkér ')).toBe(nameKey('BLINKÉR'.normalize('NFD')));
    expect(nameKey('a b')).not.toBe(nameKey('a  b'));
  });

  it('stay the same when they are normalised twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(nameKey(nameKey(name))).toBe(nameKey(name));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a new project', () => {
  it('has a family and a model that belong together', () => {
    for (const [deviceFamily, models] of Object.entries(specifiedModels)) {
      for (const deviceModel of models) {
        expect(NewProject.safeParse({ name: 'x', deviceFamily, deviceModel }).success).toBe(
          deviceFamily === 'esp' || deviceModel.startsWith('stm'),
        );
      }
    }
    expect(NewProject.parse({ name: ' x ', deviceModel: 'esp32' })).toEqual({
      name: 'x',
      description: '',
      deviceFamily: 'esp',
      deviceModel: 'esp32',
    });
  });

  it('reports only its first fault', () => {
    expect(firstRefusal(NewProject, {})).toBe('Project name is required');
    expect(firstRefusal(NewProject, { name: 'x' })).toBe('Device model is required');
  });
});

describe('a new version', () => {
  it('reports only its first fault', () => {
    expect(firstRefusal(NewVersion, { ...version, version: '', description: '' })).toBe(
      'Please enter a version number',
    );
    expect(firstRefusal(NewVersion, { ...version, description: '' })).toBe('Description is required');
  });

  it('stores its notes the same regardless of line endings', () => {
    expect(NewVersion.parse({ ...version, description: 'a\r\nb\rc\nd' }).description).toBe('a\nb\nc\nd');
  });
});

describe('bodies that may be left out', () => {
  it.each([undefined, null, {}])('are understood: %j', (body) => {
    expect(SharingChange.parse(body)?.isPublic).toBeUndefined();
    expect(FlashReport.parse(body)?.result ?? 'success').toBe('success');
  });
});

describe('a new token', () => {
  it('lasts for 90 days unless the request says otherwise', () => {
    expect(NewToken.parse({ name: 'CI', projectId: 'one' })).toEqual({
      name: 'CI',
      projectId: 'one',
      expiresInDays: 90,
    });
  });
});
