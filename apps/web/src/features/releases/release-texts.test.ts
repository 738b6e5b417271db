import { releaseText } from '@wirebench/contract';
import { expect, it } from 'vitest';
import { confirmationMismatch } from '../../shared/ui/confirm-dialog.tsx';
import { releaseFailureText } from './release-texts.ts';

it('failures of the release manager say what failed', () => {
  expect(releaseFailureText.createProject('m')).toBe('Failed to create project: m');
  expect(releaseFailureText.load('m')).toBe('Failed to load projects: m');
  expect(releaseFailureText.createVersion('m')).toBe('Failed to create version: m');
  expect(releaseFailureText.checkUniqueness('m')).toBe('Failed to check version uniqueness: m');
  expect(releaseFailureText.share('project')).toBe('Failed to share project');
  expect(releaseFailureText.share('version')).toBe('Failed to share version');
  expect(releaseFailureText.toggle('project')).toBe('Failed to toggle project sharing');
  expect(releaseFailureText.toggle('version')).toBe('Failed to toggle version sharing');
  expect(releaseFailureText.describe('project')).toBe('Failed to update project description');
  expect(releaseFailureText.describe('version')).toBe('Failed to update version description');
  expect(releaseFailureText.act('delete', 'project')).toBe('Failed to delete project');
  expect(releaseFailureText.act('delete', 'version')).toBe('Failed to delete version');
  expect(confirmationMismatch).toBe("Confirmation text doesn't match");
});

it('rules of releases have the texts of docs/behaviour.md', () => {
  expect(releaseText.signInRequired).toBe('Please sign in to view and manage projects');
  expect(releaseText.nameTaken).toBe('A project with this name already exists');
  expect(releaseText.nameRequired).toBe('Project name is required');
  expect(releaseText.modelRequired).toBe('Device model is required');
  expect(releaseText.versionRequired).toBe('Please enter a version number');
  expect(releaseText.versionTaken('1.0')).toBe(
    'Version "1.0" already exists in this project. Please use a unique version number.',
  );
  expect(releaseText.versionLimit(3)).toBe(
    'You have reached the maximum limit of 3 versions per project. Please delete an existing version before creating a new one.',
  );
  expect(releaseText.descriptionRequired).toBe('Description is required');
  expect(releaseText.fileRequired).toBe('At least one firmware file with offset is required');
});
