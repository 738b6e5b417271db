/** A server of releases for component tests: keeps projects in memory. Uploads go through `FakeRequest`. */
import type {
  CrashAnswer,
  FlashesAnswer,
  HistoryEntry,
  Project,
  ProjectPageChange,
  Token,
  Version,
} from '@wirebench/contract';
import { FaultyServer } from '../../../shared/api/testing.ts';
import { testProject, testVersion } from './releases.ts';

export class ReleaseServer extends FaultyServer {
  projects: Project[] = [];
  tokens: Token[] = [];
  history: HistoryEntry[] = [];
  flashes: FlashesAnswer['flashes'] = { successes: 0, failures: 0, counts: [] };
  /** Crashes of all versions. */
  crashes: CrashAnswer['crash'][] = [];
  limits = { projects: 5, versions: 3, jkits: 5, elfSize: 64 * 1_024 * 1_024, builds: 8 };

  protected override answer(call: string, body: Record<string, unknown>): Response {
    const [, id = ''] = /\/(?:project|version|versions|tokens)\/([\w-]+)/.exec(call) ?? [];
    const project = this.projects.find(({ _id }) => _id === id);
    const version = this.projects.flatMap(({ versions }) => versions).find(({ _id }) => _id === id);
    const crash = this.crashes.find(({ fingerprint }) => call.endsWith(`/crashes/${fingerprint}`));
    if (crash !== undefined) {
      this.crashes = call.startsWith('DELETE') ? this.crashes.filter((other) => other !== crash) : this.crashes;
      return call.startsWith('DELETE') ? new Response(null, { status: 204 }) : Response.json({ crash });
    }
    switch (call.replace(id || '-', ':id').replace(/\?.*/, '')) {
      case 'GET /config.json': {
        const oidc = { issuer: 'http://id', url: 'http://id', realm: 'r', clientId: 'c' };
        return Response.json({ apiUrl: '', oidc, latestReleaseUrl: '/', limits: this.limits });
      }
      case 'GET /api/firmware/projects':
        return Response.json({ projects: this.projects });
      case 'POST /api/firmware/project': {
        const made = testProject({ ...(body as Partial<Project>) });
        this.projects = [made, ...this.projects];
        return Response.json({ project: made }, { status: 201 });
      }
      case 'POST /api/firmware/project/:id/update-description':
        return staleEdit(project, body) ?? Response.json({ project: this.changeProject(project, described(body)) });
      case 'POST /api/firmware/project/:id/update-page': {
        const { sentence = project?.sentence, pictureText } = body as ProjectPageChange;
        const picture = project?.picture && { ...project.picture, ...(pictureText && { text: pictureText }) };
        return Response.json({ project: this.changeProject(project, { sentence: sentence ?? undefined, picture }) });
      }
      case 'POST /api/firmware/project/:id/picture': {
        const file = { type: 'image/png', width: 1_600, height: 1_172, size: 9, sha256: 'ef'.repeat(32) };
        const picture = { text: 'A node', ...project?.picture, [call.endsWith('dark') ? 'dark' : 'light']: file };
        return Response.json({ project: this.changeProject(project, { picture }) });
      }
      case 'DELETE /api/firmware/project/:id/picture':
        return Response.json({ project: this.changeProject(project, { picture: undefined }) });
      case 'GET /api/firmware/project/:id/picture':
        return new Response('a picture', { headers: { 'content-type': 'image/png' } });
      case 'POST /api/firmware/project/:id/toggle-sharing':
        return Response.json({ project: this.changeProject(project, body) });
      case 'POST /api/firmware/project/:id/share':
        return Response.json({ shareId: project?.shareId });
      case 'POST /api/firmware/project/:id/renew-share':
        return Response.json({ project: this.changeProject(project, { shareId: 'renewed-project-share-' }) });
      case 'POST /api/firmware/version/:id/renew-share':
        return Response.json({ version: this.changeVersion(version, { shareId: 'renewed-version-share-' }) });
      case 'POST /api/firmware/project/:id/share-end':
        return Response.json({ project: this.changeProject(project, endOf(body)) });
      case 'POST /api/firmware/version/:id/share-end':
        return Response.json({ version: this.changeVersion(version, endOf(body)) });
      case 'DELETE /api/firmware/project/:id':
        this.projects = this.projects.filter((other) => other !== project);
        return new Response(null, { status: 204 });
      case 'GET /api/firmware/project/:id/history':
        return call.includes('format=csv')
          ? new Response('_id,at\r\n')
          : Response.json({
              history: this.history,
              pagination: { total: this.history.length, limit: 50, skip: 0 },
            });
      case 'POST /api/firmware/project/:id/pull': {
        const pulled = testVersion({ version: String(body['version'] ?? '2.0.0') });
        this.addVersion(id, pulled);
        return Response.json({ version: pulled }, { status: 201 });
      }
      case 'GET /api/firmware/versions/:id':
        return Response.json({ versions: project?.versions ?? [] });
      case 'POST /api/firmware/version/:id/update-description':
        return staleEdit(version, body) ?? Response.json({ version: this.changeVersion(version, described(body)) });
      case 'POST /api/firmware/version/:id/update-channel': {
        const { channel: _channel, ...rest } = version ?? testVersion();
        this.#setVersions((versions) => versions.map((other) => (other === version ? rest : other)));
        const moved = this.projects.flatMap(({ versions }) => versions).find(({ _id }) => _id === rest._id);
        return Response.json({
          version: body['channel'] === 'beta' ? this.changeVersion(moved, { channel: 'beta' }) : moved,
        });
      }
      case 'POST /api/firmware/version/:id/update-console':
      case 'POST /api/firmware/version/:id/toggle-sharing':
        return Response.json({ version: this.changeVersion(version, body) });
      case 'POST /api/firmware/version/:id/share':
        return Response.json({ shareId: version?.shareId });
      case 'DELETE /api/firmware/version/:id':
        this.#setVersions((versions) => versions.filter((other) => other !== version));
        return new Response(null, { status: 204 });
      case 'GET /api/firmware/version/:id/flashes':
        return Response.json({ flashes: this.flashes });
      case 'DELETE /api/firmware/version/:id/elf':
        return Response.json({ version: this.changeVersion(version, { elf: undefined } as Partial<Version>) });
      case 'GET /api/firmware/version/:id/crashes': {
        const skip = Number(/skip=(\d+)/.exec(call)?.[1] ?? 0);
        const page = this.crashes.slice(skip, skip + 20).map(({ examples: _, ...group }) => group);
        return Response.json({ crashes: page, pagination: { total: this.crashes.length, limit: 20, skip } });
      }
      case 'DELETE /api/firmware/version/:id/crashes':
        this.crashes = [];
        return new Response(null, { status: 204 });
      case 'GET /api/jkits':
        return Response.json({ data: [], pagination: { total: 0, limit: 100, skip: 0 } });
      case 'GET /api/tokens':
        return Response.json({ tokens: this.tokens });
      case 'POST /api/tokens': {
        const token: Token = {
          _id: '01978c00-0000-7000-8000-00000000aaaa',
          name: String(body['name']),
          scope: 'firmware:publish',
          project:
            this.projects.filter(({ _id }) => _id === body['projectId']).map(({ _id, name }) => ({ _id, name }))[0] ??
            null,
          createdAt: '2026-11-20T12:00:00.000Z',
          expiresAt: '2099-01-01T12:00:00.000Z',
          lastUsedAt: null,
          ...(body['mayReplace'] === true ? { mayReplace: true } : {}),
        };
        this.tokens = [token, ...this.tokens];
        return Response.json({ token, secret: 'wirebench_secret' }, { status: 201 });
      }
      case 'DELETE /api/tokens/:id':
        this.tokens = this.tokens.filter(({ _id }) => _id !== id);
        return new Response(null, { status: 204 });
      default:
        return Response.json({ error: 'invalid_grant', message: 'invalid_grant' }, { status: 400 });
    }
  }

  changeProject(project: Project | undefined, change: Partial<Project>): Project | undefined {
    this.projects = this.projects.map((other) => (other === project ? { ...other, ...change } : other));
    return this.projects.find(({ _id }) => _id === project?._id);
  }

  changeVersion(version: Version | undefined, change: Partial<Version>): Version | undefined {
    this.#setVersions((versions) => versions.map((other) => (other === version ? { ...other, ...change } : other)));
    return this.projects.flatMap(({ versions }) => versions).find(({ _id }) => _id === version?._id);
  }

  addVersion(projectId: string, version: Version): void {
    this.projects = this.projects.map((project) =>
      project._id === projectId ? { ...project, versions: [version, ...project.versions] } : project,
    );
  }

  #setVersions(change: (versions: Version[]) => Version[]): void {
    this.projects = this.projects.map((project) => ({ ...project, versions: change(project.versions) }));
  }
}

const endOf = ({ endsAt }: Record<string, unknown>) => ({
  shareEndsAt: typeof endsAt === 'string' ? endsAt : undefined,
});

const described = (body: Record<string, unknown>) => ({ description: String(body['description']) });

/** Returns the refusal of an edit whose description was changed elsewhere; null if it was not. */
function staleEdit(item: Project | Version | undefined, { before }: Record<string, unknown>): Response | null {
  const message = 'This description was changed in the meantime.';
  return before === undefined || before === item?.description
    ? null
    : Response.json(
        { error: message, message, code: 'description-changed', current: item?.description },
        { status: 409 },
      );
}
