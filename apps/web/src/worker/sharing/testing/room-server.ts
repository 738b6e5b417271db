/** A server that creates and ends rooms for shared benches. All rooms have the same id. */
import { FaultyServer } from '../../../shared/api/testing.ts';

export class RoomServer extends FaultyServer {
  protected override answer(call: string): Response {
    if (call.endsWith('/config.json')) {
      const oidc = { issuer: 'http://id', url: 'http://id', realm: 'r', clientId: 'c' };
      const limits = { projects: 5, versions: 3, jkits: 5 };
      return Response.json({ apiUrl: '', oidc, latestReleaseUrl: '/', limits });
    }
    const room = { id: 'A'.repeat(22), expiresAt: '2026-11-22T20:00:00.000Z' };
    return call.startsWith('POST')
      ? Response.json({ room, hostToken: 'token' }, { status: 201 })
      : new Response(null, { status: 204 });
  }
}
