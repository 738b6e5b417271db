/** Simulated JKit server for component tests. Keeps JKits, stars and ratings in memory. */
import type { Jkit, ListedJkit } from '@wirebench/contract';
import { FaultyServer } from '../../../shared/api/testing.ts';

const idOf = (number: number) => `01978c00-0000-7000-8000-${String(number).padStart(12, '0')}`;

export function testJkit(number: number, changes: Partial<Jkit> = {}): Jkit {
  return {
    _id: idOf(number),
    name: `jkit-${number}`,
    type: 'uart',
    content: JSON.stringify({ fields: ['help', { content: '41 54', type: 'hex' }], settings: { lineEnding: true } }),
    description: '',
    shared: false,
    tags: [],
    version: '1.0.0',
    publisher: 'mira.k',
    createdAt: '2025-11-12T12:00:00.000Z',
    updatedAt: '2025-11-12T12:00:00.000Z',
    rating: 0,
    ratingCount: 0,
    ...changes,
  };
}

export class JkitServer extends FaultyServer {
  jkits: Jkit[] = [];
  starred: string[] = [];
  /** True: lists of other publishers' JKits omit the contents. */
  listsAreTooLong = false;
  /** The user's ratings, by JKit id. */
  readonly rated = new Map<string, number>();
  slots = 5;
  /** Number of JKits on a page of search results. */
  pageSize = 20;

  protected override answer(call: string, body: Record<string, unknown>): Response {
    const url = new URL(call.slice(call.indexOf(' ') + 1), 'http://server');
    const id = /jkits\/([\w-]{36})/.exec(call)?.[1] ?? '';
    const one = this.jkits.find(({ _id }) => _id === id);
    const page = (found: unknown[]) => ({
      data: found,
      pagination: { total: found.length, limit: 20, skip: 0 },
    });
    switch (`${call.split(' ')[0]} ${url.pathname.replace(id || '-', ':id')}`) {
      case 'GET /config.json': {
        const oidc = { issuer: 'http://id', url: 'http://id', realm: 'r', clientId: 'c' };
        const limits = { projects: 5, versions: 3, jkits: this.slots };
        return Response.json({ apiUrl: '', oidc, latestReleaseUrl: '/', limits });
      }
      case 'GET /api/jkits':
        return Response.json(page(this.jkits.filter(({ publisher }) => publisher === 'mira.k')));
      case 'POST /api/jkits': {
        const made = testJkit(100 + this.jkits.length, body);
        this.jkits = [made, ...this.jkits];
        return Response.json({ data: made }, { status: 201 });
      }
      case 'GET /api/jkits/search': {
        const q = url.searchParams.get('q') ?? '';
        const skip = Number(url.searchParams.get('skip'));
        const found = this.jkits.filter(({ shared, name }) => shared && name.includes(q));
        const data = found.slice(skip, skip + this.pageSize).map((jkit) => this.#listed(jkit));
        const hasMore = found.length > skip + data.length;
        return Response.json({ data, pagination: { limit: this.pageSize, skip, hasMore } });
      }
      case 'GET /api/jkits/starred': {
        const found = this.jkits.filter(({ _id, shared }) => shared && this.starred.includes(_id));
        return Response.json(page(found.map((jkit) => ({ jkit: this.#listed(jkit), createdAt: jkit.createdAt }))));
      }
      case 'GET /api/jkits/:id':
        return one === undefined ? this.#gone() : Response.json({ data: one });
      case 'PUT /api/jkits/:id':
        return Response.json({ data: this.#change(id, body) });
      case 'DELETE /api/jkits/:id':
        this.jkits = this.jkits.filter(({ _id }) => _id !== id);
        return new Response(null, { status: 204 });
      case 'GET /api/jkits/:id/starred':
        return Response.json({ data: { isStarred: this.starred.includes(id) } });
      case 'POST /api/jkits/:id/star':
        this.starred = [...this.starred, id];
        return Response.json({ data: { isStarred: true } });
      case 'DELETE /api/jkits/:id/star':
        this.starred = this.starred.filter((other) => other !== id);
        return Response.json({ data: { isStarred: false } });
      case 'GET /api/jkits/:id/rating':
        return Response.json({ data: { stars: this.rated.get(id) ?? null } });
      case 'POST /api/jkits/:id/rating':
        this.rated.set(id, Number(body['stars']));
        return Response.json({ data: this.#change(id, { rating: body['stars'], ratingCount: 1 }) });
      default:
        return Response.json({ error: 'invalid_grant', message: 'invalid_grant' }, { status: 400 });
    }
  }

  #listed({ content, ...facts }: Jkit): ListedJkit {
    return this.listsAreTooLong ? facts : { ...facts, content };
  }

  #gone(): Response {
    const message = 'This JKit does not exist, or it is private.';
    return Response.json({ error: message, message, code: 'not-found' }, { status: 404 });
  }

  #change(id: string, change: Record<string, unknown>): Jkit | undefined {
    this.jkits = this.jkits.map((jkit) => (jkit._id === id ? { ...jkit, ...change } : jkit));
    return this.jkits.find(({ _id }) => _id === id);
  }
}
