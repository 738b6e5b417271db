import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { testProject, testVersion } from '../testing/releases.ts';
import { VisitorsView } from './visitors-view.tsx';

afterEach(cleanup);

const pages = () => screen.getAllByRole('img').map((page) => page.getAttribute('aria-label'));

describe('view of visitors', () => {
  it('shows the page of a dead link for a private project, and the release after Publish', () => {
    render(<VisitorsView onEdit={() => undefined} project={testProject({ versions: [testVersion()] })} />);
    expect(pages()).toEqual(['Now: There is no release at this link', 'After Publish: weather-node 1.4.0, Install']);
    expect(screen.getByText('Outdoor sensor node.')).toBeTruthy();
    expect(screen.getByText('Plug your board in by USB.')).toBeTruthy();
  });

  it('shows two pages while a newer version is ready, and one after it was published', () => {
    const older = testVersion({ version: '1.4.0', isPublic: true });
    const newer = testVersion({ version: '1.5.0' });
    const project = testProject({ isPublic: true, versions: [newer, older] });
    const { rerender } = render(<VisitorsView onEdit={() => undefined} project={project} />);
    expect(pages()).toEqual(['Now: weather-node 1.4.0, Install', 'After Publish: weather-node 1.5.0, Install']);
    rerender(
      <VisitorsView
        onEdit={() => undefined}
        project={{ ...project, versions: [{ ...newer, isPublic: true }, older] }}
      />,
    );
    expect(pages()).toEqual(['Now: weather-node 1.5.0, Install']);
  });

  it('says for a public project without a version that none is published', () => {
    render(<VisitorsView onEdit={() => undefined} project={testProject({ isPublic: true })} />);
    expect(pages()).toEqual(['Now: weather-node, no version yet']);
    expect(screen.getByText('No version published yet')).toBeTruthy();
  });

  it('previews a new project, and says that nothing is public yet', () => {
    render(<VisitorsView onEdit={() => undefined} project={testProject()} />);
    expect(screen.getByText('Nothing is public yet.')).toBeTruthy();
    expect(pages()).toEqual([expect.stringMatching(/^Now: /), 'After the first Publish: weather-node, Install']);
    expect(screen.queryByText('No version published yet')).toBeNull();
  });

  it('shows the page that says so for a project that was taken down', () => {
    const withheld = { by: 'taken-down' as const, reason: 'Damages boards' };
    render(<VisitorsView onEdit={() => undefined} project={testProject({ withheld, versions: [testVersion()] })} />);
    expect(pages()).toEqual(['Now: This release was taken down']);
  });

  it('takes no focus, and its parts are not read aloud', () => {
    render(<VisitorsView onEdit={() => undefined} project={testProject({ versions: [testVersion()] })} />);
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Edit']);
    expect(screen.queryByRole('heading', { level: 1 })).toBeNull();
    const drawn = [...document.querySelectorAll('button')].filter(({ textContent }) => textContent !== 'Edit');
    expect(drawn.map((button) => button.closest('[inert]') !== null)).toEqual([true, true]);
  });
});
